// options: --check div,shift
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
    if (y > 0 && (1u << (x & 31)) / (unsigned)y > 3)
        return 1;
    return 0;
}
