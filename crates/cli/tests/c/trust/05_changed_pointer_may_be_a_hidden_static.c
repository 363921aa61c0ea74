// expect: UNSAFE
// Its value after the jump is arbitrary, and not from outside.
#include <setjmp.h>
extern void reach_error(void);
static int a, b;

int main(void)
{
    jmp_buf context;
    int *p = &a;

    if (setjmp(context) == 0) {
        p = &b;
        longjmp(context, 1);
    }
    if (p == &b)
        reach_error();
    return 0;
}
