// expect: UNSAFE
/* Unknown instructions that get a pointer and say that they touch memory may write behind it. */
extern void reach_error(void);
static int g;
int main(void) { int *p = &g; __asm__ volatile("foo %0" : : "r"(p) : "memory"); if (g == 5) reach_error(); return 0; }
