// expect: UNSAFE
// options: --check bounds
extern int nd(void);
struct S { int n; char a[]; };
int main(void) { struct S s; s.n = 0; if (nd()) s.a[0] = 1; return 0; }
