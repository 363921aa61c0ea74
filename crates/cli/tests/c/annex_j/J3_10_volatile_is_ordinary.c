// expect: SAFE
extern void reach_error(void);
static volatile int v;
int main(void) { v = 3; if (v != v) reach_error(); return 0; }
