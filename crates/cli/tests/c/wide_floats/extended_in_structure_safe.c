// expect: SAFE
// without: abstraction, which has no predicates for numbers in the bytes of a structure
// A structure is copied with the number in it.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

struct sample { int n; long double value; };
static struct sample twin(struct sample s) { return s; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    struct sample s = { x, (long double)x + 0.5L };
    struct sample t = twin(s);
    if (t.value != s.value || t.n != s.n) reach_error();
    return 0;
}
