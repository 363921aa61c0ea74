// expect: SAFE
/* K&R definition, called with promoted arguments. */
extern int nd(void);
extern void reach_error(void);
static int f(a, b) int a; char b; { return a + b; }
int main(void) { int x = nd() & 7; if (f(x, 2) != x + 2) reach_error(); return 0; }
