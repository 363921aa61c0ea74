// expect: UNSAFE
/* The order is open; hardbop fixes it from left to right. */
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
static int less(int a, int b) { return a < b; }
int main(void) { if (less(next(), next())) reach_error(); return 0; }
