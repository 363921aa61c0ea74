// expect: SAFE
// data-model: any
// A loop whose counter wraps around; parity survives the wrap.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned int x = 1;
    //@ invariant (x & 1) == 1;
    while (__VERIFIER_nondet_bool())
        x += 2;
    if ((x & 1) == 0)
        reach_error();
    return 0;
}
