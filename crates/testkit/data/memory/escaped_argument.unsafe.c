// expect: UNSAFE
// inputs: 0
// data-model: any
// An undefined function writes what it is given.
extern void reach_error(void);
extern void poke(int *);
int main(void) {
    int x = 1;
    int *p = &x;
    poke(&x);
    if (*p != 1) reach_error();
    return 0;
}
