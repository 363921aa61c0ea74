// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
/* The call whose result would have been assigned was left by a jump: the variable is what it was. */
#include <setjmp.h>
extern void reach_error(void);
extern int nd(void);
static jmp_buf context;
static int leaves(void) {
    if (nd()) longjmp(context, 1);
    return 5;
}
int main(void) {
    int y = 7;
    if (setjmp(context) == 0) {
        y = leaves();
        if (y != 5) reach_error();
    } else if (y != 7) {
        reach_error();
    }
    return 0;
}
