// expect: SAFE
// options: --check bounds,pointer
extern unsigned long nd(void);

int main(void)
{
    int a[4] = {0}, *p = a + 2;
    unsigned long n = nd();
    long k = (long)nd();

    if (n < 4)
        a[n] = 1;
    if (k >= -2 && k < 2)
        return p[k];
    return 0;
}
