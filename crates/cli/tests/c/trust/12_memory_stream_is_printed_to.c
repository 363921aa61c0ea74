// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
int main(void) {
  char b[8] = {0};
  FILE *f = fmemopen(b, 8, "w");
  if (!f) return 0;
  b[0] = 0;
  fprintf(f, "abc");
  fclose(f);
  if (b[0] == 'a') reach_error();
  return 0;
}
