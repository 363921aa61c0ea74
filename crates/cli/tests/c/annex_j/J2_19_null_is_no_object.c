// expect: UNSAFE
// options: --check null
extern int nd(void);
int main(void) { int x = 1, *p = nd() ? &x : 0; return *p; }
