// expect: UNSAFE
// data-model: any
// inputs: 1 0
// The innermost function changes what the others know nothing of.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

unsigned int notes = 0;
unsigned int balance = 0;

void note(void) {
    notes++;
    balance++;
}

void relay(void) {
    note();
}

int main(void) {
    while (__VERIFIER_nondet_bool())
        relay();
    if (balance != 0)
        reach_error();
    return 0;
}
