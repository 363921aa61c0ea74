// expect: SAFE
// Recursion without a bound in the proof: the function's contract says that the result is the argument.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int count(int n) {
    if (n <= 0) return 0;
    return 1 + count(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10000) return 0;
    if (count(n) != n) reach_error();
    return 0;
}
