// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
static int s;
int main(void) {
  void *q;
  printf("%p\n", (void *)&s);
  if (scanf("%p", &q) != 1) return 0;
  s = 1;
  *(int *)q = 5;
  if (s == 5) reach_error();
  return 0;
}
