// expect: SAFE
/* What it has it keeps. */
extern void reach_error(void);
int main(void) { int x; int a = x, b = x; if (a != b) reach_error(); return 0; }
