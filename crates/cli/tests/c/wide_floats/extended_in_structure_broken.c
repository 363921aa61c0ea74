// expect: UNSAFE
// A double has fewer bits.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

struct sample { int n; long double value; };
static struct sample twin(struct sample s) { return s; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    struct sample s = { x, (long double)x * 4294967296.0L + 1 };
    struct sample t = twin(s);
    if ((double)t.value != t.value) reach_error();
    return 0;
}
