// expect: UNSAFE
// options: --check pointer
extern long nd(void);
static char all[16];

int main(void)
{
    long n = nd();

    if (n != 1l << 60)
        return 0;
    char (*v)[n] = (char (*)[n])all;
    return v + 16 == v;
}
