// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// The volatile member keeps what it got, and the one that did not change what it had.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf context;
static void jump(void) { longjmp(context, 1); }
int main(void) {
  struct { volatile int kept; int lost; int same; double d; } s = {1, 2, 5, 0.0};
  s.d = s.d / s.d;
  if (setjmp(context) == 0) {
    s.kept = 3;
    s.lost = 4;
    if (__VERIFIER_nondet_int()) jump();
    return 0;
  }
  if (s.kept != 3 || s.same != 5 || s.d == s.d) reach_error();
  return 0;
}
