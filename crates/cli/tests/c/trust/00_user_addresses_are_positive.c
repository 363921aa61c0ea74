// expect: SAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int x;
int main(void) {
    if ((long)&x < 4096)
        reach_error();
    return 0;
}
