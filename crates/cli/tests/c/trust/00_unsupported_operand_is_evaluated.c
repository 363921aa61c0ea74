// expect: UNKNOWN
// reason: symbol of the linker
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern char _end;
int main(void) {
    int x = __VERIFIER_nondet_int();
    int z = x > 3 && _end;
    if (z && x < 3) reach_error();
    if (x == 4 && z) reach_error();
    return 0;
}
