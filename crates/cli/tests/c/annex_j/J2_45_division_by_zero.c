// expect: UNSAFE
// options: --check div
extern int nd(void);
int main(void) { return 10 / nd(); }
