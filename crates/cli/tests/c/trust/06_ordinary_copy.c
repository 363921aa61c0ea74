// expect: SAFE
// Without the option a volatile structure is memory like any other.
extern int nd(void);
extern void reach_error(void);

struct S { int a, b; };

int main(void) {
    int n = nd();
    volatile struct S v = {n, 2};
    struct S s = v;
    if (s.a != n || s.b != 2) reach_error();
    return 0;
}
