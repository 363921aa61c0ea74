// expect: SAFE
// options: --malloc succeeds
// unknown: abstraction (a copy of a size that is known only by the object)
extern void reach_error(void);
extern void *malloc(unsigned long); extern void *realloc(void *, unsigned long);
int main(void) { int *p = malloc(4); if (!p) return 0; *p = 5; int *q = realloc(p, 8); if (q && *q != 5) reach_error(); return 0; }
