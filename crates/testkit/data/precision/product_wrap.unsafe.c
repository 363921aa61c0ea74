// expect: UNSAFE
// data-model: any
// inputs: 1073741824
// harmless: 3
// x * 4 is 0 for 1073741824: the two highest bits are lost.
// With mathematical integers only 0 has that product.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    if (x * 4 == 0)
        __VERIFIER_assert(x == 0);
    return 0;
}
