// expect: UNSAFE
// data-model: any
// inputs: 65536
// harmless: 9
// An int that is not zero can be zero as an unsigned short.
// A tool that keeps the value says that the guard protects the check.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned short low = x;
    if (x != 0)
        __VERIFIER_assert(low != 0);
    return 0;
}
