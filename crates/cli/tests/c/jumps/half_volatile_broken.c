// expect: UNSAFE
// without: abstraction, which looks at one way of a jump after the other
// Only the volatile members of a structure keep what they got since `setjmp`.
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf context;
static void jump(void) { longjmp(context, 1); }
int main(void) {
  struct { volatile int kept; int lost; } s = {1, 2};
  if (setjmp(context) == 0) {
    s.kept = 3;
    s.lost = 4;
    jump();
  }
  if (s.lost != 4) reach_error();
  return 0;
}
