// expect: UNSAFE
// options: --callbacks later
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
static int hits;
static ssize_t wr(void *c, const char *b, size_t n) { hits = 1; return n; }
int main(void) {
  cookie_io_functions_t io = {.write = wr};
  FILE *f = fopencookie(0, "w", io);
  if (!f) return 0;
  hits = 0;
  fputs("abc", f);
  fflush(f);
  if (hits) reach_error();
  return 0;
}
