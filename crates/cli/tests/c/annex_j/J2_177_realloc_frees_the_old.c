// expect: UNSAFE
// options: --check free
extern void *malloc(unsigned long); extern void *realloc(void *, unsigned long);
int main(void) { int *p = malloc(4); if (!p) return 0; int *q = realloc(p, 8); if (!q) return 0; return *p; }
