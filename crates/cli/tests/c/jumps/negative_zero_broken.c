// expect: UNSAFE
// without: abstraction, which looks at one way of a jump after the other
// A zero whose sign changed has changed.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf context;
static void jump(void) { longjmp(context, 1); }
int main(void) {
  double d = 0.0;
  if (setjmp(context) == 0) {
    d = -0.0;
    jump();
  }
  if (d != 0.0) reach_error();
  return 0;
}
