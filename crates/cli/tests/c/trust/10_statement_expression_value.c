// options: --check free
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) {
    int n = nd();
    int v = ({
        int t = n & 7;
        int *p = &t;
        *p + 1;
    });
    if (v < 1 || v > 8)
        reach_error();
    return 0;
}
