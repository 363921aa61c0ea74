// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
static int s, other;
int main(void) {
  FILE *f = tmpfile();
  if (!f) return 0;
  int *p = &other, *mine = &s, *q = 0;
  fwrite(&p, sizeof p, 1, f);
  rewind(f);
  if (fread(&q, sizeof q, 1, f) != 1) return 0;
  *mine = 1;
  *q = 5;
  if (s == 5) reach_error();
  return 0;
}
