// options: --volatile nondet
// expect: SAFE
// Writing a volatile structure changes nothing else, and a copy once made stays as it is.
extern int nd(void);
extern void reach_error(void);

struct S { int a, b; };

int main(void) {
    int n = nd();
    struct S s = {n, 2};
    volatile struct S v = {5, 6};
    v = s;
    v.a = 3;
    if (s.a != n || s.b != 2) reach_error();
    struct S t = v, u = t;
    if (t.a != u.a || t.b != u.b) reach_error();
    return 0;
}
