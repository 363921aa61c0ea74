// expect: SAFE
/* What is assigned is read before anything is written. */
extern void reach_error(void);
struct S { int a[2]; };
union U { struct S s; struct { int pad; struct S t; } u; };
int main(void) {
    union U x;
    x.s.a[0] = 1;
    x.s.a[1] = 2;
    x.u.t = x.s;
    if (x.u.t.a[0] != 1 || x.u.t.a[1] != 2) reach_error();
    return 0;
}
