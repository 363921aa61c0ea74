// expect: SAFE
/* Ordinary memory by default. */
extern void reach_error(void);
static volatile int v = 1;
int main(void) { *(int *)&v = 2; if (v != 2) reach_error(); return 0; }
