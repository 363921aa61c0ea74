// expect: UNSAFE
// options: --check pointer
extern unsigned long nd(void);
int v[4][4];

int main(void)
{
    unsigned long n = nd();
    int *r = &v[n][1];
    int *q = v[n];

    return r != q;
}
