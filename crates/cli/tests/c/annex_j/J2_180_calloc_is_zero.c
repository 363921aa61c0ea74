// expect: SAFE
extern int nd(void);
extern void reach_error(void);
extern void *calloc(unsigned long, unsigned long);
int main(void) { int *p = calloc(2, 4); if (p && p[nd() & 1] != 0) reach_error(); return 0; }
