// expect: UNKNOWN
// reason: longjmp to a context that has ended
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf context;
static int save(void) { return setjmp(context); }
int main(void) {
  if (save()) reach_error();
  if (__VERIFIER_nondet_int()) longjmp(context, 1);
  return 0;
}
