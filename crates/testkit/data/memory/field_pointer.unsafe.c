// expect: UNSAFE
// inputs: 0
// data-model: any
// A pointer into a field is the field, and not its neighbour.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int a, b; };
int main(void) {
    struct pair s;
    int x = __VERIFIER_nondet_int();
    s.a = 1;
    s.b = 2;
    int *p = &s.b;
    *p = x;
    if (s.b != 2) reach_error();
    return 0;
}
