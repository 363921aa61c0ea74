// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// Contexts of two activations, one of them handed on: each jump goes where its buffer says.
#include <setjmp.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf outer;
static int inner_ended;
static void deep(jmp_buf inner, int how) {
  if (how == 1) longjmp(inner, 5);
  if (how == 2) longjmp(outer, 6);
}
static int middle(int how) {
  jmp_buf own;
  int code = setjmp(own);
  if (code) {
    inner_ended = 1;
    return code;
  }
  deep(own, how);
  return 0;
}
int main(void) {
  int how = __VERIFIER_nondet_int();
  int code = setjmp(outer);
  if (code) {
    if (code != 6 || how != 2 || inner_ended) reach_error();
    return 0;
  }
  int result = middle(how);
  if (how == 2) reach_error();
  if (how == 1 ? result != 5 || !inner_ended : result != 0) reach_error();
  return 0;
}
