// expect: SAFE
/* A call through a pointer of another type does not count. */
extern void reach_error(void);
static int f(int x) { return x; }
int main(void) { void (*p)(void) = (void (*)(void))f; ((int (*)(int))p)(3) == 3 ? (void)0 : reach_error(); return 0; }
