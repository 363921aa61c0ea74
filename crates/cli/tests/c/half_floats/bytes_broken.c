// expect: UNSAFE
// A number through `_Float16` and back is another one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4000) return 0;
    _Float16 h = n;
    if ((int)h != n) reach_error();
    return 0;
}
