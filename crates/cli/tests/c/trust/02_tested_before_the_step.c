// options: --check null
// expect: SAFE
extern int nd(void);
struct P { int x, y; } s[3];
int main(void) {
    struct P *q = nd() ? s : 0;
    if (!q)
        return 0;
    int r = q++->y;
    r += (*q++).x;
    return r + q[-1].y;
}
