// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  stdout = fopen("a", "w");
  fputs("a", stdout);
  return 0;
}
