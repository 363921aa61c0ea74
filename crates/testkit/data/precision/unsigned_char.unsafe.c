// expect: UNSAFE
// data-model: any
// inputs: 200 100
// harmless: 3 4
// A byte counter wraps at 256.
// With a wider or mathematical counter the sum of two bytes is at least each of them.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned char b = __VERIFIER_nondet_uchar();
    unsigned char sum = a + b;
    __VERIFIER_assert(sum >= a);
    return 0;
}
