// expect: UNSAFE
// `lock.c` with the counter forgotten in one case: the loop ends with the lock already given back.
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
        int answer = __VERIFIER_nondet_int();
        if (answer != 0) {
            release();
            if (answer > 0) wanted++;
        }
    } while (got != wanted);
    release();
    return 0;
}
