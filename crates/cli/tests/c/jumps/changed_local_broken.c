// expect: UNSAFE
// without: abstraction, which looks at one way of a jump after the other
// A variable that is not volatile and changed since `setjmp` is indeterminate.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf context;
static void fail(void) { longjmp(context, 1); }
int main(void) {
  int state = 0;
  if (setjmp(context)) {
    if (state != 1) reach_error();
    return 0;
  }
  state = 1;
  if (__VERIFIER_nondet_int()) fail();
  return 0;
}
