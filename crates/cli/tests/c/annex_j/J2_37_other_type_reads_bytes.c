// expect: SAFE
/* Effective types are not used: an int read through short gives its half. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = nd(); short *p = (short *)&x; if (*p != (short)x) reach_error(); return 0; }
