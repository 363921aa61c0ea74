// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
int main(void) {
  char *p = 0;
  size_t n = 0;
  FILE *f = open_memstream(&p, &n);
  if (!f) return 0;
  n = 0;
  fputs("abc", f);
  fflush(f);
  if (n == 3) reach_error();
  return 0;
}
