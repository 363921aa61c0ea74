// expect: UNKNOWN
// reason: symbol of the linker
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern char _end;
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x > 3 ? _end == 1 : 1;
    if (x > 2 && _end && y) reach_error();
    return 0;
}
