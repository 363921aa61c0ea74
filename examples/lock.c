// expect: SAFE
// A lock that must not be taken twice nor given back untaken, used in a loop that nobody bounds. The proof is found
// without help: the lock is free at the head of the loop, whatever happened before.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int locked;

static void acquire(void) {
    if (locked) reach_error();
    locked = 1;
}

static void release(void) {
    if (!locked) reach_error();
    locked = 0;
}

int main(void) {
    int got = 0, wanted = __VERIFIER_nondet_int();
    do {
        acquire();
        got = wanted;
        if (__VERIFIER_nondet_int()) {
            release();
            wanted++;
        }
    } while (got != wanted);
    release();
    return 0;
}
