// expect: SAFE
/* The inline definition of the file is used. */
extern int nd(void);
extern void reach_error(void);
static inline int twice(int x) { return 2 * x; }
int main(void) { int x = nd() & 0xff; if (twice(x) != x + x) reach_error(); return 0; }
