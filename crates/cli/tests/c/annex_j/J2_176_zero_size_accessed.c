// expect: UNSAFE
// options: --check bounds
extern void *malloc(unsigned long);
int main(void) { char *p = malloc(0); if (p) *p = 1; return 0; }
