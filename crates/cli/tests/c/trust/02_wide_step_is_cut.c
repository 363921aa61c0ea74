// expect: UNSAFE
// options: --check pointer --data-model ILP32
// The number has more bits than a pointer.
extern int nd(void);
char c[8];

int main(void)
{
    long long n = 0x100000000LL + (nd() == 5);
    char *p = &c[n];

    return p == c;
}
