// expect: UNSAFE
/* static between the brackets is not relied upon. */
extern int nd(void);
extern void reach_error(void);
static int f(int a[static 2]) { return a == 0; }
int main(void) { int *p = nd() ? 0 : (int[2]){0}; if (f(p)) reach_error(); return 0; }
