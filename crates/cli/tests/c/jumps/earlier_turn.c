// expect: UNKNOWN
// without: abstraction, which looks at one way of a jump after the other
// reason: refinement: the loop at earlier_turn.c:13 needs an invariant
// What changed is known since the last turn only.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf contexts[2];
static void jump(void) { longjmp(contexts[0], 1); }
int main(void) {
  int x = 0;
  volatile int i;
  for (i = 0; i < 2; i++) {
    if (setjmp(contexts[i])) {
      if (x != 1) reach_error();
      return 0;
    }
    if (i == 0) x = 1;
  }
  if (__VERIFIER_nondet_int()) jump();
  return 0;
}
