// options: --check free
// expect: SAFE
extern int nd(void);
int main(void) {
    int s = 0;
    for (int i = 1; i < 3; i++) {
        int a[i];
        int *p = a;
        p[0] = i;
        s += p[0];
    }
    return s;
}
