// expect: UNSAFE
// One sum in a single expression is computed in `float` and exceeds what two bytes can count.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 4) return 0;
    _Float16 sum = 2046, one = 1;
    if (n == 3 && sum + one + one + one > 2048) reach_error();
    return 0;
}
