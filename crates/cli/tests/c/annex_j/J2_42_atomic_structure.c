// expect: SAFE
/* A member of an atomic structure is a member like any other. */
extern void reach_error(void);
struct S { int a, b; };
int main(void) {
    struct S s = {1, 2};
    _Atomic struct S t;
    t = s;
    struct S u = t;
    if (u.b != 2) reach_error();
    return 0;
}
