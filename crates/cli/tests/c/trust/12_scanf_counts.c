// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int x = 1, n = -5;
  int r = scanf("%d%n", &x, &n);
  if (n != -5 && n < 0) reach_error();
  if (r > 1) reach_error();
  return 0;
}
