// expect: UNSAFE
// options: --check bounds --data-model ILP32
extern unsigned nd(void);
int m[4][4];

int main(void)
{
    unsigned n = nd();

    return n == 0x10000001u ? m[n][0] : 0;
}
