// expect: UNSAFE
// options: --check bounds
extern unsigned long nd(void);
char c[4];

int main(void)
{
    unsigned __int128 n = (unsigned __int128)nd() << 64 | 1;

    return n != 1 ? c[n] : 0;
}
