// expect: UNSAFE
// options: --check free
extern void *malloc(unsigned long); extern void free(void *);
int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; free(p); return *p; }
