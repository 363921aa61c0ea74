// expect: SAFE
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(void) {
  char b[4];
  FILE *f = fopen("a", "r");
  if (!f) return 0;
  while (fgets(b, 4, f)) fputs(b, f);
  fflush(0);
  fclose(f);
  return 0;
}
