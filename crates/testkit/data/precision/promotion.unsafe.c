// expect: UNSAFE
// data-model: any
// inputs: 1 2
// harmless: 2 1
// The difference of two unsigned shorts is an int and may be negative.
// A tool that subtracts in 16 unsigned bits says that it is not.
extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned short a = __VERIFIER_nondet_ushort();
    unsigned short b = __VERIFIER_nondet_ushort();
    __VERIFIER_assert(a - b >= 0);
    return 0;
}
