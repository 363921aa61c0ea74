// expect: SAFE
// options: --check free
/* The object of a caller lives while the callee runs. */
extern int nd(void);
static int f(int *p) { return *p; }
int main(void) { int x = nd(); return f(&x) - x; }
