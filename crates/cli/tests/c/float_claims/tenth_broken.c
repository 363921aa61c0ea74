// expect: UNSAFE
// 0.1f is not 0.1.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x==0.1f)) return 0;
    if (!(x==0.1)) reach_error();
    return 0;
}
