// expect: UNSAFE
// inputs: 0
// data-model: any
// Two pointers that may be equal or not.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x, y;
int main(void) {
    int *p = &x;
    int *q = __VERIFIER_nondet_int() ? &x : &y;
    *p = 1;
    *q = 2;
    if (*p != 1) reach_error();
    return 0;
}
