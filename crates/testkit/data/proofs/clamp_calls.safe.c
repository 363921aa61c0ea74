// expect: SAFE
// data-model: any
// Calls without loops: each function's contract is all that the caller knows.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

//@ ensures $result >= 'a && $result >= 'b && ($result == 'a || $result == 'b);
//@ modifies nothing;
int max(int a, int b) {
    return a > b ? a : b;
}

//@ ensures $result <= 'a && $result <= 'b && ($result == 'a || $result == 'b);
//@ modifies nothing;
int min(int a, int b) {
    return a < b ? a : b;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = max(-10, min(x, 10));
    if (y < -10 || y > 10)
        reach_error();
    return 0;
}
