// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// Elements of an array are objects of their own: one that did not change keeps its value.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf context;
static void jump(void) { longjmp(context, 1); }
int main(void) {
  int a[4] = {7};
  int k = __VERIFIER_nondet_int();
  if (k < 1 || k > 3) return 0;
  if (setjmp(context) == 0) {
    a[k] = 2;
    jump();
  }
  if (a[0] != 7) reach_error();
  return 0;
}
