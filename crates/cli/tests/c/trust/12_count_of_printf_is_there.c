// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  int n = 0;
  printf("ab%n", &n);
  if (n == 2) reach_error();
  return 0;
}
