// expect: UNSAFE
// data-model: any
// inputs: 1 0
// The step is odd, so the parity changes.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned int x = 1;
    while (__VERIFIER_nondet_bool())
        x += 3;
    if ((x & 1) == 0)
        reach_error();
    return 0;
}
