// expect: UNSAFE
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  char b[2] = {'a', 'b'};
  int n = nd();
  if (n > 2) return 0;
  printf("%.*s", n, b);
  return 0;
}
