// expect: SAFE
/* A function without a body that is said not to return does not. */
extern void reach_error(void);
_Noreturn void leave(void);
int nd(void);
int main(void) { int x = nd(); if (x) leave(); if (x) reach_error(); return 0; }
