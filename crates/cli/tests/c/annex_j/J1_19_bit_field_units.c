// expect: SAFE
/* Units as gcc lays them out on x86. */
extern int nd(void);
extern void reach_error(void);
struct S { char c; int b : 9; int : 0; short s : 3; };
int main(void) { if (sizeof(struct S) != 8) reach_error(); return nd(); }
