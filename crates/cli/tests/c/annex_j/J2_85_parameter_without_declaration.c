// expect: SAFE
/* A parameter that is only named is an int. */
extern void reach_error(void);
static int f(a) { return sizeof a == sizeof(int) ? a : 0; }
int main(void) { if (f(5) != 5) reach_error(); return 0; }
