// expect: UNSAFE
// options: --check free
/* A dangling pointer to a local is read. */
static int *f(void) { int x = 1; int *p = &x; return p; }
int main(void) { int *p = f(); return *p; }
