// expect: UNSAFE
// A later initialiser of an element replaces all that was said about it.
extern int nd(void);
extern void reach_error(void);

struct P { int x, y; };
struct Q { struct P p[3]; int z; };

int main(void) {
    int n = nd();
    struct Q q = {.p[1].x = n, 7, .p[1] = {1}};
    if (q.p[1].y != 7) reach_error();
    return 0;
}
