// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
static int s;
int main(void) {
  void *q;
  int *p = &s;
  printf("%d\n", 3);
  if (scanf("%p", &q) != 1) return 0;
  *p = 1;
  *(int *)q = 5;
  if (s == 5) reach_error();
  return 0;
}
