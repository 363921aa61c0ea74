// expect: UNSAFE
// options: --check div
extern int nd(void);
int main(void) { unsigned u = nd(); return 10 % u; }
