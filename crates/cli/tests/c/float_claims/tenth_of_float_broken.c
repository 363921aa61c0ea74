// expect: UNSAFE
// A product with 0.1 is not that with 0.1f.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>=0&&x<=1)) return 0;
    if (!((float)(x*0.1)==x*0.1f)) reach_error();
    return 0;
}
