// options: --check free
// expect: SAFE
extern int nd(void);
static int twice(int *p) { return *p + *p; }
int main(void) {
    int *last = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = nd();
        last = &x;
        sum += twice(last);
    }
    return sum;
}
