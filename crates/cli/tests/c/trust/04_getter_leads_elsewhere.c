// What the run allocated is nobody else's: the getter leads to another object.
// options: --externs any
// expect: SAFE
#include <stdlib.h>
extern int nd(void);
extern void reach_error(void);
static int other;
static int *box = &other;
int *get(void) { return box; }
int main(void) {
  int *d = malloc(4);
  if (!d) return 0;
  *d = 1;
  nd();
  if (*d == 5) reach_error();
  return 0;
}
