// expect: UNSAFE
/* Arbitrary. */
extern int nd(void);
extern void reach_error(void);
static int f(int x) { if (x) return 1; }
int main(void) { if (f(nd()) == 77) reach_error(); return 0; }
