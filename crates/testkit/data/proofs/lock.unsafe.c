// expect: UNSAFE
// data-model: any
// inputs: 1 8 1 0
// One path forgets to unlock.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

int locked = 0;

void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

void unlock(void) {
    if (!locked)
        reach_error();
    locked = 0;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        int work = __VERIFIER_nondet_int();
        lock();
        if (work > 0)
            work--;
        if (work != 7)
            unlock();
    }
    return 0;
}
