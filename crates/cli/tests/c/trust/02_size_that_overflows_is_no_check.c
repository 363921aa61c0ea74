// expect: UNSAFE
// options: --check bounds
extern unsigned long nd(void);

int main(void)
{
    int a[4] = {0};
    unsigned long i = nd();

    if (i * 4 < 16)
        a[i] = 1;
    return 0;
}
