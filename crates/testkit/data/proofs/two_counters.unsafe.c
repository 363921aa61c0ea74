// expect: UNSAFE
// data-model: any
// inputs: 1 1 1 0
// One counter pauses once.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned int x = 0;
    unsigned int y = 0;
    while (__VERIFIER_nondet_bool()) {
        x++;
        if (x != 3)
            y++;
    }
    if (x != y)
        reach_error();
    return 0;
}
