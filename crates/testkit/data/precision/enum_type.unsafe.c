// expect: UNSAFE
// data-model: any
// inputs: 0
// harmless: 1
// The countdown test "c - 1 >= 0" is always true for an unsigned enumeration, so the guard does not stop at RED.
// A tool that takes the enumeration for int says SAFE.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

enum colour { RED, GREEN, BLUE };

int main(void) {
    enum colour c = __VERIFIER_nondet_uint() % 3;
    if (c - 1 >= 0)
        __VERIFIER_assert(c != RED);
    return 0;
}
