// options: --data-model ILP32 --check pointer
// expect: UNSAFE
extern void reach_error(void);
extern int nd(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
char buf[64];
int main(void) {
    char *p = buf, *end = buf + 64;
    unsigned n = __VERIFIER_nondet_uint();
    return p + n > end;
}
