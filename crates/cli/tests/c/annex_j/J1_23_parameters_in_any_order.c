// expect: UNSAFE
/* Which of two parameters lies at the lower address is open. */
extern void reach_error(void);
static int below(int a, int b) { return &a < &b; }
int main(void) { if (!below(1, 2)) reach_error(); return 0; }
