// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int x, *p = nd() ? &x : 0;
  scanf("%d", p);
  return 0;
}
