// expect: SAFE
// options: --check bounds
/* What is accessed is decided by the object: a[0][5] of int a[2][3] is a[1][2]. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int a[2][3] = {{0}}; a[1][2] = 9; int k = nd(); if (k != 5) return 0; if (a[0][k] != 9) reach_error(); return 0; }
