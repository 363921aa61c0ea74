// expect: SAFE
// data-model: any
// An undefined function writes what it is given, and nothing else.
extern void reach_error(void);
extern void poke(int *);
int main(void) {
    int x = 1, y = 1;
    int *p = &x;
    poke(&y);
    if (*p != 1) reach_error();
    return 0;
}
