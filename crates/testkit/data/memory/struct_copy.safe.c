// expect: SAFE
// data-model: any
// A structure is copied whole, and the copy is another object.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a; char c; int b; };
int main(void) {
    struct s x, y;
    int v = __VERIFIER_nondet_int();
    x.a = v;
    x.c = 1;
    x.b = 2;
    y = x;
    x.a = v + 1;
    if (y.a != v || y.b != 2 || x.a == y.a) reach_error();
    return 0;
}
