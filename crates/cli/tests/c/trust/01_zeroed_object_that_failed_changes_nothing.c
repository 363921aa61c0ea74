// expect: SAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int g = 5;
int *pg = &g;
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    int *p = calloc(n, 4);
    if (!p && *pg != 5)
        reach_error();
    return 0;
}
