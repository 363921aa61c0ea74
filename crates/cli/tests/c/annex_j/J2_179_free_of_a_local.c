// expect: UNSAFE
// options: --check free
extern int nd(void);
extern void free(void *);
int main(void) { int x; if (nd()) free(&x); return 0; }
