// expect: SAFE
// data-model: any
// check: free
extern void *malloc(unsigned long);
extern void free(void *);
extern int nd(void);
int main(void) {
    int *p = malloc(4);
    int *q = malloc(4);
    if (!p || !q) return 0;
    int *r = nd() ? p : q;
    free(p);
    if (r != p) *r = 1;
    return 0;
}
