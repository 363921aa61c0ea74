// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int x = 5, y = 6, z = 7;
  int r = scanf("%d %d", &x, &y);
  if (z != 7 || r > 2 || r < -1) reach_error();
  if (r < 2 && y != 6) reach_error();
  if (r < 1 && x != 5) reach_error();
  return 0;
}
