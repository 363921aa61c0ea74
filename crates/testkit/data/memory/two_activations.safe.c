// expect: SAFE
// data-model: any
// An activation writes its own local while it holds the address of the outer one, which keeps its value.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int go(int *outer, int n) {
    int mine = n;
    if (n == 7) return go(&mine, 3);
    mine = 5;
    return outer ? *outer : mine;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n != 7) return 0;
    if (go(0, n) == 5) reach_error();
    return 0;
}
