// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) { long a[8]; unsigned i = nd() & 7, j = nd() & 7; if (&a[i] - &a[j] != (long)i - (long)j) reach_error(); return 0; }
