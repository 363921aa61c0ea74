// expect: UNSAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
/* Executions that dereference null do not count, others reach the error. */
int g;
int main(void) {
    int *p = nd() ? &g : 0;
    if (nd())
        *p = 1;
    if (g == 1)
        reach_error();
    return 0;
}
