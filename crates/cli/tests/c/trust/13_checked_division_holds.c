// options: --check div
// expect: SAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int main(void) {
    int x = nd(), y = nd();
    if (x > 3 && y > 1)
        return x / y;
    return 0;
}
