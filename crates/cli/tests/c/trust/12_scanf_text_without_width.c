// expect: UNSAFE
// options: --check bounds
// unknown: abstraction: the path that it finds ends in another object
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  char b[64];
  scanf("%s", b);
  return 0;
}
