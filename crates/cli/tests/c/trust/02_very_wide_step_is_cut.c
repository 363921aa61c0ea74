// expect: UNSAFE
// options: --check pointer
extern unsigned long nd(void);
char c[4];

int main(void)
{
    unsigned __int128 n = (unsigned __int128)nd() << 64;
    char *p = c + n;

    return p == c;
}
