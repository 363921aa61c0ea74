// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
#include <stdarg.h>
static void lg(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  vprintf(f, ap);
  va_end(ap);
}
int main(void) {
  char *p = nd() ? "a" : 0;
  lg(p);
  return 0;
}
