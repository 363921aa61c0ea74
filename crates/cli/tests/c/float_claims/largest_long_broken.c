// expect: UNSAFE
// The largest long is rounded up.
extern void reach_error(void);
extern long __VERIFIER_nondet_long(void);

int main(void) {
    long n = __VERIFIER_nondet_long();
    if (!(n>0)) return 0;
    if (!((double)n<9223372036854775807.0)) reach_error();
    return 0;
}
