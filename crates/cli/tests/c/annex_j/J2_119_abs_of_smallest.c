// expect: UNSAFE
/* It wraps, as with -fwrapv. */
extern int nd(void);
extern void reach_error(void);
extern int abs(int);
int main(void) { if (abs(nd()) < 0) reach_error(); return 0; }
