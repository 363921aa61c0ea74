// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// A variable that did not change keeps its value, also where it is not volatile; so do the members of a structure.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf context;
static void fail(int x) {
  if (x) longjmp(context, 1);
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  struct { int first, second; } pair = {x, 7};
  int before = x;
  if (setjmp(context)) {
    if (before != x || pair.first != x || pair.second != 7) reach_error();
    return 0;
  }
  fail(x);
  return 0;
}
