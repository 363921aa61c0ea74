// expect: SAFE
// data-model: any
// Two objects from one allocation site are two.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
static int *make(int v) {
    int *p = malloc(sizeof(int));
    if (p) *p = v;
    return p;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int *p = make(1);
    int *q = make(2);
    if (!p || !q) return 0;
    *q = x;
    if (*q != x) reach_error();
    return 0;
}
