// expect: SAFE
// options: --check overflow
extern int nd(void);
int main(void) { int x = nd(); if (x > -100 && x < 100) return x * x; return 0; }
