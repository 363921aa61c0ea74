// expect: UNSAFE
/* `assert` that is called as a function is a target, too. */
extern void reach_error(void);
extern void assert(int);
int nd(void);
int main(void) { assert(nd() != 3); return 0; }
