// expect: SAFE
// data-model: any
// What a function changes, it may change only through another one.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

unsigned int notes = 0;
unsigned int balance = 0;

//@ modifies notes;
void note(void) {
    notes++;
}

//@ modifies notes;
void relay(void) {
    note();
}

int main(void) {
    //@ invariant balance == 0;
    while (__VERIFIER_nondet_bool())
        relay();
    if (balance != 0)
        reach_error();
    return 0;
}
