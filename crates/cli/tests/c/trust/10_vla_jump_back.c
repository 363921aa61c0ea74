// options: --check free
// expect: UNSAFE
extern int nd(void);
int main(void) {
    int *p = 0;
    int n = (nd() & 3) + 1;
again:
    if (p)
        return p[0];
    int a[n];
    a[0] = 1;
    p = a;
    goto again;
}
