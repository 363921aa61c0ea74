// expect: SAFE
/* Conversion to an integer of the same size and back gives the pointer. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = 1; unsigned long u = (unsigned long)&x; *(int *)u = 2; if (x != 2) reach_error(); return nd(); }
