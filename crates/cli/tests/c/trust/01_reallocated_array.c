// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#include <stdlib.h>
void *reallocarray(void *, unsigned long, unsigned long);
int main(void) {
  char *p = malloc(1);
  if (!p) return 0;
  *p = 7;
  char *q = reallocarray(p, 0x100000001ul, 0x100000000ul);
  if (q) reach_error();
  if (*p != 7) reach_error();
  return 0;
}
