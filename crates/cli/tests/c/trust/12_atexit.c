// expect: UNSAFE
#include <stdlib.h>
extern void reach_error(void);
static int x;
static void last(void) { if (x == 2) reach_error(); }
int main(void) {
  atexit(last);
  x = 2;
  return 0;
}
