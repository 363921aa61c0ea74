// expect: UNKNOWN
// options: --engine abstraction --max-iterations 4
// The contract that this needs, $result == a * b, would have to be guessed: the function only ever adds.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned char product(unsigned char a, unsigned char b) {
    if (b == 0) return 0;
    return a + product(a, b - 1);
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    unsigned char expected = a * b;
    if (product(a, b) != expected) reach_error();
    return 0;
}
