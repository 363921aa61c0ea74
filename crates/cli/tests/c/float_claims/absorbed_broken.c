// expect: UNSAFE
// What is small is lost.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>0 && x<1)) return 0;
    if (!(x+1.0f>1.0f)) reach_error();
    return 0;
}
