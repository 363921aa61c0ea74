// expect: UNSAFE
// options: --check bounds --data-model ILP32
// Four bytes for each element: the address is that of a smaller index again.
extern unsigned nd(void);
int a[4];

int main(void)
{
    unsigned n = nd();

    if (n < 0x40000000u || n > 0x40000003u)
        return 0;
    a[n] = 1;
    return 0;
}
