// expect: UNSAFE
// inputs: 0
// data-model: any
// An object made in a loop is not the one of the round before.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    int *last = 0;
    int i;
    for (i = 0; i < 2; i++) {
        int *p = malloc(sizeof(int));
        if (!p) return 0;
        *p = i;
        if (last && *last == i - 1) reach_error();
        last = p;
        if (__VERIFIER_nondet_int()) *last = i;
    }
    return 0;
}
