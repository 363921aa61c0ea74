// expect: UNSAFE
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  char b[4];
  scanf("%4s", b);
  return 0;
}
