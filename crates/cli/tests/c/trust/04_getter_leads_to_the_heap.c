// What a getter returns was allocated by the run.
// options: --externs any
// expect: UNSAFE
#include <stdlib.h>
extern int nd(void);
extern void reach_error(void);
static struct box { int *data; } *box;
int *get(void) { return box ? box->data : 0; }
int main(void) {
  int *d = malloc(4);
  box = malloc(sizeof *box);
  if (!d || !box) return 0;
  box->data = d;
  *d = 1;
  nd();
  if (*d == 5) reach_error();
  return 0;
}
