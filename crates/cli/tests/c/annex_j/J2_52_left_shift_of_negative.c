// expect: SAFE
// options: --check shift
/* As gcc does it: bits move. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = nd(); if (x >= -4 && x < 0 && x << 1 != 2 * x) reach_error(); return 0; }
