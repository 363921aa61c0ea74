// expect: UNSAFE
// options: --check pointer --data-model ILP32
short s[8];

int main(void)
{
    short *p = s;

    p = &p[0x80000000u];
    return p == s;
}
