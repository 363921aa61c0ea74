// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// options: --check free
// Blocks that a jump leaves end; those around `setjmp` go on.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf context;
static int *kept;
static void fail(int *p) {
  if (*p > 0) longjmp(context, 1);
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  {
    int in_block = 4;
    kept = &in_block;
    if (setjmp(context)) {
      if (*kept != 4) reach_error();
      return 0;
    }
    for (int i = 0; i < 3; i++) {
      int copy = x - i;
      fail(&copy);
    }
  }
  return 0;
}
