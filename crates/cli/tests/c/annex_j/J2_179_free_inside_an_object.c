// expect: UNSAFE
// options: --check free
extern void *malloc(unsigned long); extern void free(void *);
int main(void) { char *p = malloc(4); if (p) free(p + 1); return 0; }
