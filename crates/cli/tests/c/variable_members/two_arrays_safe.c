// expect: SAFE
// unknown: abstraction, it finds no predicate over members whose place depends on an input
// Two arrays in a structure, of lengths of their own, one through a pointer in a called function.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static void set(int *p, int v) { *p = v; }
int main(void) {
    int n = __VERIFIER_nondet_uchar() & 1, m = __VERIFIER_nondet_uchar() & 1;
    typedef struct { short tag; int first[n + 1]; int second[m + 2]; } pair;
    pair x, *p = &x;
    x.tag = 7;
    p->second[m + 1] = 1;
    set(&p->first[n], 5);
    if (x.first[n] != 5 || x.second[m + 1] != 1 || x.tag != 7) reach_error();
    return 0;
}
