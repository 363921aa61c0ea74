// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int n = 7, k = nd();
  if (k < 10 || k > 99) return 0;
  printf("ab%d%n", k, &n);
  if (n != 4 && n != 7) reach_error();
  sprintf((char[8]){0}, "a%nb", &n);
  if (n != 1) reach_error();
  return 0;
}
