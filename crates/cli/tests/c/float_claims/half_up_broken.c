// expect: UNSAFE
// The number below one half, and a half: a tie that goes up to one.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>=0 && x<1)) return 0;
    if (!((int)(x+0.5f)==(x>=0.5f))) reach_error();
    return 0;
}
