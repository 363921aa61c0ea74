// options: --data-model ILP32
// expect: UNSAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
static char *get(unsigned n) { return malloc(n); }
char buf[2];
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    char *p = n < 0xfffff000u ? get(n) : buf;
    if (!p)
        return 0;
    if (n > 0xfffffff0u && p == buf)
        reach_error();
    return 0;
}
