// expect: SAFE
/* The difference of two pointers is a number of elements, with a sign. */
extern void reach_error(void);
int nd(void);
int main(void) {
    char all[10];
    unsigned i = nd();
    if (i > 10) return 0;
    if (&all[0] - &all[i] != -(int)i) reach_error();
    return 0;
}
