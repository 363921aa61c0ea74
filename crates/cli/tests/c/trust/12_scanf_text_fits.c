// expect: SAFE
// options: --check bounds,null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  char b[4], c[3], d;
  if (scanf("%3s %2[a-z] %c", b, c, &d) == 3 && (b[0] == ' ' || c[0] < 'a' || c[0] > 'z')) reach_error();
  return 0;
}
