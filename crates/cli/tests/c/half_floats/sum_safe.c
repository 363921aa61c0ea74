// expect: SAFE
// A sum that is kept in two bytes stops growing where its steps are too small.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 4) return 0;
    _Float16 sum = 2046;
    for (unsigned i = 0; i < n; i++) sum += 1;
    if (sum > 2048) reach_error();
    return 0;
}
