// expect: SAFE
// data-model: any
// A global protocol: lock and unlock alternate, in a loop.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

int locked = 0;

//@ requires locked == 0;
//@ ensures locked == 1;
//@ modifies locked;
void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

//@ requires locked == 1;
//@ ensures locked == 0;
//@ modifies locked;
void unlock(void) {
    if (!locked)
        reach_error();
    locked = 0;
}

int main(void) {
    //@ invariant locked == 0;
    while (__VERIFIER_nondet_bool()) {
        int work = __VERIFIER_nondet_int();
        lock();
        if (work > 0)
            work--;
        unlock();
    }
    return 0;
}
