// options: --externs any
// expect: UNSAFE
#include <stdlib.h>
extern int nd(void);
extern void reach_error(void);
struct ops { void (*f)(int); };
static int s;
static void set(int v) { s = v; }
static struct ops *ops;
struct ops *get(void) { return ops; }
int main(void) {
  ops = malloc(sizeof *ops);
  if (!ops) return 0;
  ops->f = set;
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
