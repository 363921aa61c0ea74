// expect: UNSAFE
// without: abstraction, which looks at one way of a jump after the other
// A jump with 0 gives 1.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf context;
static void check(int x) {
  if (x > 3) longjmp(context, x - 4);
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  switch (setjmp(context)) {
  case 0: check(x); break;
  case 1: if (x == 4) reach_error(); break;
  }
  return 0;
}
