// expect: SAFE
/* A value that does not fit is reduced modulo 2^n. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = nd(); if ((signed char)x != (signed char)(x + 256)) reach_error(); return 0; }
