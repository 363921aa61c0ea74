// expect: SAFE
// A designator that leads into an initialised member replaces only what it names.
extern int nd(void);
extern void reach_error(void);

struct P { int x, y, z; };
struct Q { int a; struct P p; };

int main(void) {
    int n = nd();
    struct Q q = {.p = {n, 2, 3}, .p.y = 5};
    if (q.p.x != n || q.p.y != 5 || q.p.z != 3) reach_error();
    return 0;
}
