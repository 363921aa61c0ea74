// expect: UNSAFE
// data-model: any
// inputs: 4294967290
// harmless: 7
// x + 10 is below x for the ten largest values.
// With mathematical integers the check holds for every x.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    __VERIFIER_assert(x + 10 > x);
    return 0;
}
