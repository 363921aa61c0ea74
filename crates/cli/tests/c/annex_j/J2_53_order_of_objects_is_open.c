// expect: UNSAFE
/* Two objects may lie either way. */
extern void reach_error(void);
int a, b;
int main(void) { if (&a < &b) reach_error(); return 0; }
