// The smaller of two numbers is one of them, and a zero of some sign is a zero.
// expect: SAFE
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern double fmin(double, double);

int main(void) {
    double x = __VERIFIER_nondet_double();
    double least = fmin(x, 0.0);
    if (least > 0.0 || least != least) reach_error();
    if (x < 0.0 && least != x) reach_error();
    return 0;
}
