// expect: SAFE
// data-model: any
// memmove reads all before it writes any.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *memmove(void *, const void *, unsigned long);
int main(void) {
    char a[4];
    char x = __VERIFIER_nondet_int();
    a[0] = x;
    a[1] = 1;
    a[2] = 2;
    a[3] = 3;
    memmove(a + 1, a, 3);
    if (a[1] != x || a[2] != 1 || a[3] != 2) reach_error();
    return 0;
}
