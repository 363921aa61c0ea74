// expect: UNSAFE
// data-model: any
// inputs: 18446744073709551615
// harmless: 20
// A negative length passes the test against an unsigned limit only if the comparison is signed; here it is
// unsigned, so a negative x is taken as large and "x is at least 16" does not mean that x is positive.
// With mathematical values the check holds.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned int limit = 16;
    if (x >= limit)
        __VERIFIER_assert(x > 0);
    return 0;
}
