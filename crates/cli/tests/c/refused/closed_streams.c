// expect: UNKNOWN
// reason: accesses of `fclose` are not checked
// options: --check free
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  FILE *f = fopen("a", "r");
  if (!f) return 0;
  fclose(f);
  if (nd()) fclose(f);
  return 0;
}
