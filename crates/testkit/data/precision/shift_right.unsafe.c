// expect: UNSAFE
// data-model: any
// inputs: 18446744073709551611
// harmless: 12
// For a negative x the arithmetic shift gives -1, not 1.
// With a logical shift the check holds for every x.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int top = x >> 31;
    __VERIFIER_assert(top == 0 || top == 1);
    return 0;
}
