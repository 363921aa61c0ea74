// expect: SAFE
// data-model: any
// One loop; the bound is an input.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int i = 0;
    //@ invariant i <= n;
    while (i < n)
        i++;
    if (i != n)
        reach_error();
    return 0;
}
