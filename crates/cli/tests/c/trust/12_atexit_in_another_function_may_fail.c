// expect: UNSAFE
// options: --entry f
// Others may have come before.
#include <stdlib.h>
extern void reach_error(void);

static void end(void)
{
}

int f(void)
{
    if (atexit(end))
        reach_error();
    return 0;
}
