// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// What a function two calls below jumps with is what `setjmp` returns; the code behind the calls is not run.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf context;
static int after;
static void check(int x) {
  if (x > 3) longjmp(context, x);
}
static void parse(int x) {
  check(x);
  after = 1;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int code = setjmp(context);
  if (code == 0) {
    parse(x);
    if (x > 3) reach_error();
    return 0;
  }
  if (code <= 3 || after) reach_error();
  return 0;
}
