// expect: SAFE
// slow: the bounded engine looks long before the invariant is looked for
// A low-pass filter stays within the range of its inputs.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
  double x = 0;
  while (__VERIFIER_nondet_int()) {
    double u = __VERIFIER_nondet_double();
    if (!(u >= -1 && u <= 1)) return 0;
    x = 0.9 * x + 0.1 * u;
    if (!(x >= -2 && x <= 2)) reach_error();
  }
  return 0;
}
