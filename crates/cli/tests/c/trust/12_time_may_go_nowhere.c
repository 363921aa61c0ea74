// expect: SAFE
// options: --check null,bounds
extern int nd(void);
extern void reach_error(void);
#include <time.h>
#include <sys/time.h>
int main(void) {
  time_t now = time(0);
  struct timeval v;
  gettimeofday(&v, 0);
  return now == 3;
}
