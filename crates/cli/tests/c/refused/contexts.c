// expect: UNKNOWN
// reason: contexts of execution
extern int nd(void);
extern void reach_error(void);
#include <ucontext.h>
static volatile int x;
static ucontext_t c;
int main(void) {
  getcontext(&c);
  if (x == 1) reach_error();
  x = 1;
  setcontext(&c);
  return 0;
}
