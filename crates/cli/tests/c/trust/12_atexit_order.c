// The last one runs first, also when `exit` is called.
// expect: SAFE
#include <stdlib.h>
extern void reach_error(void);
extern int nd(void);
static int x;
static void first(void) { if (x != 1) reach_error(); }
static void second(void) { x = 1; }
int main(void) {
  x = 1;
  if (atexit(first)) return 1;
  if (atexit(second)) return 1;
  x = 2;
  if (nd()) exit(3);
  return 0;
}
