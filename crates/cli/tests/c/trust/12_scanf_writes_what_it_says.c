// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int x = 5, y = 6;
  int r = scanf("%*d %d,%d", &x, &y);
  if (r == 2 && x == 123 && y == -9) reach_error();
  return 0;
}
