// expect: UNSAFE
// A float does not hold every integer above 2^24.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n>=0 && n<=16777217)) return 0;
    if (!((int)(float)n==n)) reach_error();
    return 0;
}
