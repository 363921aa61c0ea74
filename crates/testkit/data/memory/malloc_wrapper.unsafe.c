// expect: UNSAFE
// inputs: 2
// data-model: any
// What a function allocates and returns is new.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void abort(void);
extern void *malloc(unsigned long);
static int *make(int v) {
    int *p = malloc(sizeof(int));
    if (!p) abort();
    *p = v;
    return p;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int *a = make(x);
    int *b = make(2);
    *b = 3;
    if (*a != 3) reach_error();
    return 0;
}
