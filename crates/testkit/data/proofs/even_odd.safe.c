// expect: SAFE
// data-model: any
// Mutual recursion; each contract speaks of the parity of the argument at entry.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int odd(unsigned int n);

//@ ensures $result == (('n & 1) == 0);
//@ modifies nothing;
int even(unsigned int n) {
    if (n == 0)
        return 1;
    return odd(n - 1);
}

//@ ensures $result == (('n & 1) == 1);
//@ modifies nothing;
int odd(unsigned int n) {
    if (n == 0)
        return 0;
    return even(n - 1);
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    if (even(n) && (n & 1))
        reach_error();
    return 0;
}
