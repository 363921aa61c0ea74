// expect: SAFE
extern void reach_error(void);
int f(void) { return 3; }
extern int g(void) __asm__("f");
int main(void) { if (g() != 3) reach_error(); return 0; }
