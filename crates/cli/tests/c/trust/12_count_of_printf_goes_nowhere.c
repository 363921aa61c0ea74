// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int n, *p = nd() ? &n : 0;
  printf("x%n", p);
  return 0;
}
