// expect: SAFE
// options: --check leak
// An implementation has room for 32 functions at least (C11 7.22.4.2).
#include <stdlib.h>

static void *kept;

static void end(void)
{
    free(kept);
}

int main(void)
{
    kept = malloc(3);
    atexit(end);
    return 0;
}
