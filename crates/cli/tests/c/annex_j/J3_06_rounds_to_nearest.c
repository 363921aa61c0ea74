// expect: SAFE
// unknown: abstraction (floating point has no formulas)
extern void reach_error(void);
int main(void) { float f = 16777217; if (f != 16777216.0f) reach_error(); return 0; }
