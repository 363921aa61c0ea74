// expect: UNSAFE
// without: abstraction, which looks at one comparison after the other
// An input that is not a number passes a test of its opposite.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
  double x = 0;
  while (__VERIFIER_nondet_int()) {
    double u = __VERIFIER_nondet_double();
    if (u < -1 || u > 1) return 0;
    x = 0.9 * x + 0.1 * u;
    if (!(x >= -2 && x <= 2)) reach_error();
  }
  return 0;
}
