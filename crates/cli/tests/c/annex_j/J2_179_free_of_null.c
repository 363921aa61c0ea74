// expect: SAFE
// options: --check free
extern void *malloc(unsigned long); extern void free(void *);
int main(void) { char *p = malloc(4); free(p); free(0); return 0; }
