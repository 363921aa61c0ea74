// expect: UNSAFE
// options: --check bounds
extern unsigned long nd(void);

int main(void)
{
    char a[4] = {0}, *p = a + 2;
    unsigned long n = nd();

    return n == -1ul ? p[n] : 0;
}
