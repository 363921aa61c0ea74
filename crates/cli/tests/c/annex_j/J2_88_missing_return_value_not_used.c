// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int f(int x) { if (x) return 1; }
int main(void) { int x = nd(); int r = f(x); if (x && r != 1) reach_error(); return 0; }
