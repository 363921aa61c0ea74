// expect: SAFE
/* The first character is the highest, as gcc has it. */
extern int nd(void);
extern void reach_error(void);
int main(void) { if ('ab' != 'a' * 256 + 'b') reach_error(); return nd(); }
