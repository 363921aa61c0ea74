// expect: UNSAFE
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int n;
  printf("a%ln", (long *)&n);
  return 0;
}
