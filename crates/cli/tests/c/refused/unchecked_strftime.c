// expect: UNKNOWN
// reason: accesses of `strftime` are not checked
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <time.h>
int main(void) {
  char b[4];
  struct tm t = {0};
  strftime(b, 32, "%Y", &t);
  return 0;
}
