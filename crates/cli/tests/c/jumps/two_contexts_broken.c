// expect: UNSAFE
// without: abstraction, which looks at one way of a jump after the other
// The inner function jumps past its caller.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf outer;
static int locked;
static void work(int x) {
  if (x == 11) longjmp(outer, 1);
}
static void guarded(int x) {
  locked = 1;
  work(x);
  locked = 0;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (setjmp(outer) == 0) guarded(x);
  if (locked) reach_error();
  return 0;
}
