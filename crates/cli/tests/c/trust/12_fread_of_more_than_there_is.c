// expect: UNSAFE
// options: --check bounds
// The number of bytes is no size: there are too many of them.
#include <stdio.h>

int main(void)
{
    int a[4];

    fread(a, 0x4000000000000001UL, 4, stdin);
    return 0;
}
