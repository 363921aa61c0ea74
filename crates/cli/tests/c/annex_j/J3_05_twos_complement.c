// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = nd(); if (~x + 1 != -x) reach_error(); return 0; }
