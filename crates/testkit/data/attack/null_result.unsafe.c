// expect: UNSAFE
// inputs: 0 0 0
// data-model: any
// check: null
extern void *malloc(unsigned long);
extern int nd(void);
int main(void) {
    int *p = malloc(4);
    if (nd() && !p) return 0;
    if (!p && nd()) return 1;
    *p = 7;
    return 0;
}
