// expect: UNSAFE
// data-model: any
// inputs: 200
// harmless: 65
// The classic index bug: a char with the high bit set is negative.
// A tool with unsigned char says that the index is always good.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    char c = __VERIFIER_nondet_char();
    int index = c;
    __VERIFIER_assert(index >= 0);
    return 0;
}
