// expect: SAFE
// unknown: abstraction (floating point has no formulas)
/* Each operation rounds to the type of its operands. */
extern void reach_error(void);
int main(void) { double a = 0.1, b = 0.2; if (a + b == 0.3) reach_error(); return 0; }
