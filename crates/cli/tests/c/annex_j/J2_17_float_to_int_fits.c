// expect: UNSAFE
// unknown: abstraction (floating point has no formulas)
/* What fits is cut towards zero. */
extern void reach_error(void);
int main(void) { double d = -1.9; if ((int)d == -1) reach_error(); return 0; }
