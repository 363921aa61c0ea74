// expect: SAFE
/* main alone returns 0 at its end. */
extern int nd(void);
extern void reach_error(void);
int main(void) { if (nd() == 3 && 0) reach_error(); }
