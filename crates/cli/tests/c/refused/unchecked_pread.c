// expect: UNKNOWN
// reason: accesses of `pread` are not checked
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <unistd.h>
int main(void) {
  char b[4];
  pread(0, b, 8, 0);
  return 0;
}
