// expect: SAFE
// data-model: any
extern void *malloc(unsigned long);
extern int nd(void);
extern void reach_error(void);
static int *make(int v) {
    int *p = malloc(sizeof *p);
    if (p) *p = v;
    return p;
}
int main(void) {
    int *p = make(1);
    int *q = nd() ? make(2) : 0;
    if (p && q) *q = 3;
    if (p && *p != 1) reach_error();
    return 0;
}
