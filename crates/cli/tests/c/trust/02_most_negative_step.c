// expect: UNSAFE
// options: --check bounds,pointer
// Elements of two bytes: once round the address space.
extern long nd(void);

int main(void)
{
    short a[4] = {0};
    long i = nd();

    if (i != -9223372036854775807L - 1)
        return 0;
    short *p = a + i;
    *p = 1;
    return 0;
}
