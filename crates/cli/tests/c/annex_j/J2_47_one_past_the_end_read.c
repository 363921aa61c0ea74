// expect: UNSAFE
// options: --check bounds
extern int nd(void);
int main(void) { int a[3] = {1, 2, 3}, *p = a + 3; if (nd()) return *p; return 0; }
