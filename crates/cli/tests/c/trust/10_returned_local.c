// options: --check free
// expect: UNSAFE
extern int nd(void);
static int *pick(int n) {
    int here = n;
    return &here;
}
int main(void) { return *pick(nd()); }
