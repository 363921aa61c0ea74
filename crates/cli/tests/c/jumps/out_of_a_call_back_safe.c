// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// A call-back that jumps ends the function that called it: it is not called again.
#include <setjmp.h>
extern void reach_error(void);
extern void with(void (*)(void));
static jmp_buf context;
static int calls;
static void back(void) {
  calls++;
  longjmp(context, 1);
}
int main(void) {
  if (setjmp(context)) {
    if (calls != 1) reach_error();
    return 0;
  }
  with(back);
  if (calls != 0) reach_error();
  return 0;
}
