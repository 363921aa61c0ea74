// expect: UNSAFE
// inputs: 0
// data-model: any
// Fields of the elements of an array are told apart by element and by field.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a, b; };
int main(void) {
    struct s t[4];
    int i = __VERIFIER_nondet_int();
    int j = __VERIFIER_nondet_int();
    if (i < 0 || i > 3 || j < 0 || j > 3) return 0;
    t[j].a = 0;
    t[i].b = 5;
    t[j].a = 1;
    if (t[i].a != 1 && i != j || i == 2) reach_error();
    return 0;
}
