// expect: UNSAFE
// data-model: any
// inputs: 5 2
// The last step is left out.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int add(unsigned int a, unsigned int b) {
    while (b > 1) {
        a++;
        b--;
    }
    return a;
}

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    if (add(x, y) != x + y)
        reach_error();
    return 0;
}
