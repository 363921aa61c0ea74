// options: --check null
// expect: UNSAFE
extern int nd(void);
struct P { long x; int y; } s;
int main(void) {
    struct P *q = nd() ? &s : 0;
    int *y = &q->y;
    return *y;
}
