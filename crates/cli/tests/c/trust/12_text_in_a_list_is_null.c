// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
#include <stdarg.h>
static void lg(int n, ...) {
  va_list ap;
  va_start(ap, n);
  vprintf("%d %s", ap);
  va_end(ap);
}
int main(void) {
  lg(1, 2, nd() ? "a" : 0);
  return 0;
}
