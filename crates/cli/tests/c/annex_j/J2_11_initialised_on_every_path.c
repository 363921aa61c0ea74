// expect: SAFE
/* Assigned on every path before it is read. */
extern int nd(void);
extern void reach_error(void);
int main(void) { int x; if (nd()) x = 1; else x = 2; if (x != 1 && x != 2) reach_error(); return 0; }
