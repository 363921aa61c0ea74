// expect: UNSAFE
// without: abstraction, which looks at one way of a jump after the other
// The function that jumps is called through a pointer, out of a loop.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static jmp_buf context;
static int calls;
static void fine(int x) { calls += x; }
static void fails(int x) { if (x == 2) longjmp(context, 9); }
int main(void) {
  void (*f)(int) = __VERIFIER_nondet_int() ? fine : fails;
  int code = setjmp(context);
  if (code) {
    if (code == 9) reach_error();
    return 0;
  }
  for (int i = 0; i < 4; i++) f(i);
  return 0;
}
