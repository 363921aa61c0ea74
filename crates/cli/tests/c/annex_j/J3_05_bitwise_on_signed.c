// expect: SAFE
/* Bits of two's complement. */
extern int nd(void);
extern void reach_error(void);
int main(void) { if ((-1 & 0xf0) != 0xf0 || (-8 | 1) != -7 || ~0 != -1) reach_error(); return nd(); }
