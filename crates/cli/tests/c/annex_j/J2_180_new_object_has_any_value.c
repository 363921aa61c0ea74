// expect: UNSAFE
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) { int *p = malloc(4); if (p && *p == 99) reach_error(); return 0; }
