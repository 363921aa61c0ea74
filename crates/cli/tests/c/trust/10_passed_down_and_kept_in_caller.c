// options: --check free
// expect: SAFE
extern int nd(void);
static int *first(int *a, int *b) { return *a < *b ? a : b; }
static int least(int n) {
    int x = n, y = nd();
    int *p = first(&x, &y);
    return *p;
}
int main(void) { return least(nd()); }
