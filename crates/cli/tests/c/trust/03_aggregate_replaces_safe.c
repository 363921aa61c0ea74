// expect: SAFE
// An element that is initialised again forgets its earlier members, in a local and in a global.
extern int nd(void);
extern void reach_error(void);

struct P { int x, y; };
struct Q { struct P p[3]; int z; };
static struct Q g = {.p[2].y = 9, .p[2] = {.x = 4}, .z = 1};

int main(void) {
    int n = nd();
    struct Q q = {.p[1].x = n, 7, .p[1] = {1}};
    if (q.p[1].y != 0 || q.p[1].x != 1) reach_error();
    if (g.p[2].y != 0 || g.p[2].x != 4 || g.z != 1) reach_error();
    return 0;
}
