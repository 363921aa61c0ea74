// expect: UNSAFE
/* restrict adds nothing: aliases stay possible. */
extern void reach_error(void);
static int f(int *restrict p, int *restrict q) { *p = 1; *q = 2; return *p; }
int main(void) { int x; if (f(&x, &x) == 2) reach_error(); return 0; }
