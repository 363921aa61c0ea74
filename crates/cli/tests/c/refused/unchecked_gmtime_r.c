// expect: UNKNOWN
// reason: accesses of `gmtime_r` are not checked
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <time.h>
int main(void) {
  time_t t = 0;
  gmtime_r(&t, 0);
  return 0;
}
