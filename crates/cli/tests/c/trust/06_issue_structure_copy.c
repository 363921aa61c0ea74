// options: --volatile nondet
// expect: UNSAFE
// A copy of a volatile structure reads all of it.
extern void reach_error(void);

struct S { int a, b; };
volatile struct S v;

int main(void) {
    v.a = 1;
    v.b = 2;
    struct S s = v;
    if (s.a == 1 && s.b == 5) reach_error();
    return 0;
}
