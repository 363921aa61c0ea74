// expect: UNSAFE
extern void reach_error(void);
int a, b;
int main(void) { if (&b < &a) reach_error(); return 0; }
