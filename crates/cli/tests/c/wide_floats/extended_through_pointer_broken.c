// expect: UNSAFE
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static void set(long double *p, int x) { *p = x; }
static long double table[3] = { 1.5L, 2.5L, 3.5L };
int main(void) {
    int x = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (k < 0 || k > 2) return 0;
    set(&table[k], x);
    if (table[0] == 7 && table[2] == 3.5L) reach_error();
    return 0;
}
