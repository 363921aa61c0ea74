// expect: UNSAFE
// data-model: any
// inputs: 2
// harmless: 1
// A flag word stored in a _Bool keeps no bits but "any": 2 & 1 is 0, but (_Bool)2 is 1.
// A tool that keeps the low bit says that both agree.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned int flags = __VERIFIER_nondet_uint();
    _Bool ready = flags;
    __VERIFIER_assert(ready == (flags & 1));
    return 0;
}
