// expect: SAFE
/* After a division the divisor is not zero. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int d = nd(); int q = 100 / d; if (d == 0) reach_error(); return q; }
