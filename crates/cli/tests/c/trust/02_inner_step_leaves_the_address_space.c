// expect: UNSAFE
// options: --check bounds,pointer
extern unsigned long nd(void);
char c[8];

int main(void)
{
    unsigned long n = nd();

    if (n != ~0UL)
        return 0;
    return (c + n)[1];
}
