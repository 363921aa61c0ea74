// expect: SAFE
// data-model: any
// Two nested loops over a grid of unknown size.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned int rows = __VERIFIER_nondet_uchar();
    unsigned int cols = __VERIFIER_nondet_uchar();
    unsigned int i = 0;
    //@ invariant i <= rows && cols <= 255;
    while (i < rows) {
        unsigned int j = 0;
        //@ invariant i < rows && j <= cols && cols <= 255;
        while (j < cols)
            j++;
        if (j != cols)
            reach_error();
        i++;
    }
    if (i != rows)
        reach_error();
    return 0;
}
