// expect: UNSAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  FILE *f = fopen("a", "w");
  fprintf(f, "x");
  return 0;
}
