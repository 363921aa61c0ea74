// expect: UNSAFE
// data-model: any
// inputs: 1 3
// The inner loop steps by two and can miss its bound.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned int rows = __VERIFIER_nondet_uchar();
    unsigned int cols = __VERIFIER_nondet_uchar();
    unsigned int i = 0;
    while (i < rows) {
        unsigned int j = 0;
        while (j < cols)
            j += 2;
        if (j != cols)
            reach_error();
        i++;
    }
    if (i != rows)
        reach_error();
    return 0;
}
