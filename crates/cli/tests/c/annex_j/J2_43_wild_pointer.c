// expect: UNSAFE
// options: --check bounds
extern int nd(void);
int main(void) { int a[2] = {0, 0}; int *p = a + (nd() & 2); return *p; }
