// options: --check null
// expect: SAFE
extern int nd(void);
struct P { long x; int y; } s;
int main(void) {
    struct P *q = nd() ? &s : 0;
    int *y = &q->y;
    if (q)
        return *y;
    return y == 0;
}
