// expect: UNSAFE
// without: abstraction, it needs minutes
// Members do not share bytes, but the first element may be the last.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_uchar();
    if (n < 1 || n > 6) return 0;
    struct s { int a; char v[n]; short b; double d; } x;
    x.a = 1;
    x.b = 5;
    x.d = 2.5;
    x.v[n - 1] = 3;
    x.v[0] = 4;
    if (x.a != 1 || x.b != 5 || x.d != 2.5 || x.v[0] != 4 || x.v[n - 1] != 3) reach_error();
    return 0;
}
