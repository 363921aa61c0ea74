// expect: SAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
#include <stdarg.h>
static void lg(int n, ...) {
  va_list ap;
  va_start(ap, n);
  vfprintf(stderr, "%d", ap);
  va_end(ap);
}
int main(void) {
  int x;
  fprintf(stderr, "x");
  fputs("a", stdout);
  if (fscanf(stdin, "%d", &x) == 1) lg(0, x);
  nd();
  FILE *f = nd() ? stdin : stderr;
  return getc(f);
}
