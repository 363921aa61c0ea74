// expect: UNKNOWN
// reason: sscanf
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int x = 5;
  int r = sscanf("zz", "%d", &x);
  if (r == 1 || x != 5) reach_error();
  return 0;
}
