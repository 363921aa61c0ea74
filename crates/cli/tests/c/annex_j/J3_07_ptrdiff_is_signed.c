// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) { int a[4]; if (&a[0] - &a[3] >= 0) reach_error(); return nd(); }
