// expect: UNSAFE
extern void reach_error(void);
int main(void) { int x = 0; unsigned long u = (unsigned long)&x ^ 5; int *p = (int *)(u ^ 5); *p = 3; if (x == 3) reach_error(); return 0; }
