// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = nd() & 1; if (x << 31 < 0) reach_error(); return 0; }
