// options: --check free
// expect: UNSAFE
extern int nd(void);
int main(void) {
    int *last = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = nd();
        if (last && i == 2)
            sum += *last; // of the turn before
        last = &x;
    }
    return sum;
}
