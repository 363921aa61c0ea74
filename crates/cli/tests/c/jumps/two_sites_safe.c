// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// The second call of `setjmp` may be passed again when the first one returns again: each returns where it was saved.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf context;
static void jump(void) { longjmp(context, 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  volatile int where = 0;
  if (setjmp(context)) {
    where = 1;
    goto out;
  }
  if (n > 0 && setjmp(context)) {
    where = 2;
    goto out;
  }
  jump();
out:
  if (where != (n > 0 ? 2 : 1)) reach_error();
  return 0;
}
