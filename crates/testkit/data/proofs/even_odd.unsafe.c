// expect: UNSAFE
// data-model: any
// inputs: 3
// One base case answers wrongly.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int odd(unsigned int n);

int even(unsigned int n) {
    if (n == 0)
        return 1;
    return odd(n - 1);
}

int odd(unsigned int n) {
    if (n == 0)
        return 1;
    return even(n - 1);
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    if (even(n) && (n & 1))
        reach_error();
    return 0;
}
