// expect: UNSAFE
// options: --check bounds
extern unsigned long nd(void);

static int get(int *p, unsigned long n)
{
    return p[n];
}

int main(void)
{
    int a[4] = {0};
    unsigned long n = nd();

    return n < 4 || n >= 0x4000000000000000 && n < 0x4000000000000004 ? get(a, n) : 0;
}
