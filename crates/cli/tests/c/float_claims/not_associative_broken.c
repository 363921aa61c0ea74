// expect: UNSAFE
// Sums depend on their order.
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    float z = __VERIFIER_nondet_float();
    if (!(x>=0&&x<=4&&y>=0&&y<=4&&z>=0&&z<=4)) return 0;
    if (!((x+y)+z==x+(y+z))) reach_error();
    return 0;
}
