// expect: UNSAFE
// options: --check overflow
extern int nd(void);
int main(void) { int x = nd(); return -x; }
