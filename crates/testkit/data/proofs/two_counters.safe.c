// expect: SAFE
// data-model: any
// Two counters in step; both may wrap, together.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned int x = 0;
    unsigned int y = 0;
    //@ invariant x == y;
    while (__VERIFIER_nondet_bool()) {
        x++;
        y++;
    }
    if (x != y)
        reach_error();
    return 0;
}
