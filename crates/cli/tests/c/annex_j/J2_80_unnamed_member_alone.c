// expect: SAFE
/* Its neighbours have their values. */
extern void reach_error(void);
struct S { unsigned a : 4; unsigned : 4; unsigned b : 8; };
int main(void) { struct S s = {1, 2}; if (s.a != 1 || s.b != 2) reach_error(); return 0; }
