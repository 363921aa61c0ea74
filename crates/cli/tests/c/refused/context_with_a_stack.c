// expect: UNKNOWN
// reason: contexts of execution
extern int nd(void);
extern void reach_error(void);
#include <ucontext.h>
static int x;
static ucontext_t m, *c = &m;
static void fn(void) { x = 1; }
int main(void) {
  makecontext(c, fn, 0);
  if (x == 1) reach_error();
  return 0;
}
