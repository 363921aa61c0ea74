// expect: UNSAFE
// options: --check bounds
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return 0;
}

int main(void)
{
    char a[4] = {0};

    qsort(a, 0x4000000000000001UL, 4, compare);
    return 0;
}
