// The value is at an end of the type if it does not fit, and `errno` says so.
// expect: SAFE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);
extern char nd(void);
int main(void) {
  char b[4];
  b[0] = nd(); b[1] = nd(); b[2] = nd(); b[3] = 0;
  errno = 0;
  long n = strtol(b, 0, 10);
  if (errno == ERANGE && n != LONG_MAX && n != LONG_MIN) reach_error();
  if (errno != 0 && errno != ERANGE && errno != EINVAL) reach_error();
  return 0;
}
