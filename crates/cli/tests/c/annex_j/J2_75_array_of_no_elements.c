// expect: SAFE
/* A run with an array length that is not positive and is accessed does not count. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int n = nd(); if (n < 1 || n > 4) return 0; char a[n]; a[n - 1] = 7; if (a[n - 1] != 7) reach_error(); return 0; }
