// expect: UNSAFE
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  char b[2] = {'a', 'b'};
  printf("%.*s", 3, b);
  return 0;
}
