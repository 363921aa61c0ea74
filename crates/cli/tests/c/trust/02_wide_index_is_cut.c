// expect: UNSAFE
// options: --check bounds --data-model ILP32
char c[4];

int main(void)
{
    return c[0x100000001LL];
}
