// expect: SAFE
// data-model: any
// A function with a loop; its contract is two-state and holds modulo 2^32, as the addition does.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

//@ ensures $result == 'a + 'b;
//@ modifies nothing;
unsigned int add(unsigned int a, unsigned int b) {
    //@ invariant a + b == 'a + 'b;
    while (b > 0) {
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
