// expect: UNSAFE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int lock;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        lock = lock + 1;
        if (lock == 1) reach_error();
        lock = lock - 1;
    }
    return 0;
}
