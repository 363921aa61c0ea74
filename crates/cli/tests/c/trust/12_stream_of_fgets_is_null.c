// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  char b[4];
  FILE *f = fopen("a", "r");
  fgets(b, 4, f);
  return 0;
}
