// expect: UNSAFE
// data-model: any
// inputs: 18446744073709551615
// harmless: 3
// 0x80000000 makes the comparison unsigned, 2147483648 does not.
// A tool that gives the hexadecimal literal a signed type says SAFE.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x < 0x80000000);
    return 0;
}
