// expect: UNSAFE
// data-model: any
// inputs: 4
// The recursion stops one step early.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int count(unsigned int n) {
    if (n <= 1)
        return 0;
    return count(n - 1) + 1;
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    if (count(n) != n)
        reach_error();
    return 0;
}
