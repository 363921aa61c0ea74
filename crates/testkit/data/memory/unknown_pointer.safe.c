// expect: SAFE
// data-model: any
// What an undefined function returns points to no object that it was not given.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int *somewhere(void);
int main(void) {
    int x = 3;
    int *mine = &x;
    int y = __VERIFIER_nondet_int();
    *mine = 4;
    int *p = somewhere();
    if (p) *p = y;
    if (x != 4) reach_error();
    return 0;
}
