// expect: UNSAFE
// inputs: 0
// data-model: any
// Bytes of an int through a pointer to char, little endian.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x;
    unsigned char *p = (unsigned char *)&y;
    p[3] = 0;
    if (y != x) reach_error();
    return 0;
}
