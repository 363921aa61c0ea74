// expect: UNSAFE
// without: abstraction, which looks at one way of a jump after the other
// A variable that is declared behind `setjmp` in the same block was alive there, and is indeterminate.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf context;
static void jump(void) { longjmp(context, 1); }
int main(void) {
  int *volatile p = 0;
  if (setjmp(context)) {
    if (*p != 5) reach_error();
    return 0;
  }
  int x = 5;
  p = &x;
  jump();
  return 0;
}
