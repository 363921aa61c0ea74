// expect: SAFE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern char _end;
/* What cannot be followed stands in operands that no run evaluates. */
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3) return 0;
    int y = x > 3 ? _end == 1 : 1;
    int z = x > 3 && _end;
    if (y != 1 || z) reach_error();
    return 0;
}
