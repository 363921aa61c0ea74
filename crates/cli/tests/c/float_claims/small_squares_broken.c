// expect: UNSAFE
// Squares of different numbers may both be zero.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    if (!(x<y && x>=0 && y<=1)) return 0;
    if (!(y*y>x*x)) reach_error();
    return 0;
}
