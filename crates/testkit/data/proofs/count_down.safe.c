// expect: SAFE
// data-model: any
// Recursion; the contract is exact and needs the value at entry.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

//@ ensures $result == 'n;
//@ modifies nothing;
unsigned int count(unsigned int n) {
    if (n == 0)
        return 0;
    return count(n - 1) + 1;
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    if (count(n) != n)
        reach_error();
    return 0;
}
