// expect: UNSAFE
// options: --check free
extern unsigned long strlen(const char *);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) { char *p = malloc(4); if (!p) return 0; p[0] = 0; free(p); return strlen(p); }
