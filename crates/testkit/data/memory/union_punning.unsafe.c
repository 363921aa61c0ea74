// expect: UNSAFE
// inputs: 0
// data-model: any
// A union: writing one member changes the bytes of the other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union u { unsigned i; unsigned char c[4]; };
int main(void) {
    union u u;
    unsigned x = __VERIFIER_nondet_int();
    u.i = x;
    u.c[0] = 7;
    if (u.i != x) reach_error();
    return 0;
}
