// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
struct S { int b : 2; };
int main(void) { struct S s; s.b = nd(); if (s.b == -2) reach_error(); return 0; }
