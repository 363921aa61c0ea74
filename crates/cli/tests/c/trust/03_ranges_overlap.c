// expect: SAFE
// Ranges override elements and each other; a value for a range is evaluated once, an overridden one not at all.
extern int nd(void);
extern void reach_error(void);

static int calls;
static int next(void) { return ++calls; }

int main(void) {
    int n = nd();
    int a[6] = {[0 ... 5] = 1, [2 ... 4] = n, [3] = 7};
    if (a[1] != 1 || a[2] != n || a[3] != 7 || a[4] != n || a[5] != 1) reach_error();
    int b[4] = {[0 ... 3] = next(), [1] = 9};
    if (b[0] != 1 || b[1] != 9 || b[2] != 1 || b[3] != 1 || calls != 1) reach_error();
    int c[2] = {[0] = next(), [1] = 4, [0] = 3};
    if (c[0] != 3 || calls != 1) reach_error();
    return 0;
}
