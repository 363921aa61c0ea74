// expect: SAFE
// Numbers of binary128 in memory, and back to an integer.
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __float128 a[2];
    a[0] = x;
    a[1] = a[0] / 2;
    if ((int)(a[1] * 2) != x || sizeof a != 32) reach_error();
    return 0;
}
