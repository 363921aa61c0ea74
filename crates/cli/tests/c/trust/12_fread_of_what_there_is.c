// expect: SAFE
// options: --check bounds
#include <stdio.h>
extern unsigned long nd(void);

int main(void)
{
    int a[4];
    unsigned long n = nd();

    if (n <= 4)
        fread(a, sizeof a[0], n, stdin);
    return 0;
}
