// expect: SAFE
// without: abstraction, which has no predicates for numbers in the bytes of a structure
// A number is written through a pointer; its neighbour stays.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static void set(long double *p, int x) { *p = x; }
static long double table[3] = { 1.5L, 2.5L, 3.5L };
int main(void) {
    int x = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (k < 0 || k > 1) return 0;
    set(&table[k], x);
    if (table[k] != x || table[2] != 3.5L) reach_error();
    return 0;
}
