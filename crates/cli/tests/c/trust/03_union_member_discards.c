// expect: UNSAFE
// A union keeps the initialiser of one member only.
extern void reach_error(void);
extern int nd(void);

union U { struct { int a, b; } s; long long q; };
struct H { int n; union U u; };

int main(void) {
    struct H h = {nd(), .u.s.a = 1, .u.s.b = 2, .u.q = 3};
    if (h.u.s.b != 2) reach_error();
    return 0;
}
