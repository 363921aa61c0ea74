// expect: UNSAFE
// options: --check bounds
#include <stdio.h>

int main(void)
{
    int a[4] = {0};

    fwrite(a, 0x8000000000000000UL, 2, stdout);
    return 0;
}
