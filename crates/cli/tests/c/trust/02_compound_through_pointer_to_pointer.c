// options: --check null --data-model ilp32
// expect: UNSAFE
extern int nd(void);
int a[4];
static int step(int **pp) { return *(*pp)++ += 2; }
int main(void) {
    int *p = nd() > 3 ? a + 1 : 0;
    return step(&p);
}
