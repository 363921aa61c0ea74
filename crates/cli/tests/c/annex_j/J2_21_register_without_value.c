// expect: UNSAFE
/* An object that could be in a register has any value before it gets one. */
extern void reach_error(void);
int main(void) { register int x; if (x == 9) reach_error(); return 0; }
