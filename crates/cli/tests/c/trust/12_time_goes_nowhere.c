// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <time.h>
int main(void) {
  struct timespec t, *p = nd() ? &t : 0;
  clock_gettime(0, p);
  return 0;
}
