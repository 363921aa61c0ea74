// expect: UNKNOWN
// reason: accesses of `gmtime_r` are not checked
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <time.h>
int main(void) {
  struct tm *(*f)(const time_t *, struct tm *) = gmtime_r;
  time_t t = 0;
  f(&t, 0);
  return 0;
}
