// expect: SAFE
// data-model: any
// A global written only by a function that never goes back and never passes its limit.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int level = 0;

//@ requires level <= 100;
//@ ensures level <= 100 && level >= 'level;
//@ modifies level;
void raise(unsigned int by) {
    if (by <= 100 && level + by <= 100)
        level += by;
}

int main(void) {
    //@ invariant level <= 100;
    while (__VERIFIER_nondet_bool()) {
        unsigned int before = level;
        raise(__VERIFIER_nondet_uint());
        if (level < before || level > 100)
            reach_error();
    }
    return 0;
}
