// expect: SAFE
extern void reach_error(void);
static int g;
int main(void) { g = 3; __asm__ volatile("" : : : "memory"); if (g != 3) reach_error(); return 0; }
