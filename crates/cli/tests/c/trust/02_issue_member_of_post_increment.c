// options: --check null
// expect: UNSAFE
extern int nd(void);
struct P { int x, y; } s[2];
int main(void) {
    struct P *q = nd() ? s : 0;
    return q++->y;
}
