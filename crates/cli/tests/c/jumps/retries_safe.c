// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// A volatile variable keeps its value over a jump: three tries, then the end.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf again;
static void try_it(void) {
  if (__VERIFIER_nondet_int()) longjmp(again, 1);
}
int main(void) {
  volatile int tries = 0;
  if (setjmp(again) == 0 || tries < 3) {
    tries++;
    try_it();
  }
  if (tries < 1 || tries > 3) reach_error();
  return 0;
}
