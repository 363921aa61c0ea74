// expect: UNKNOWN
// options: --engine abstraction --max-iterations 4
// The property needs an invariant that multiplies two variables. hardbop does not find it and says where it stopped.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), step = __VERIFIER_nondet_uint(), i = 0, sum = 0;
    while (i < n) {
        sum += step;
        i++;
    }
    if (sum != n * step) reach_error();
    return 0;
}
