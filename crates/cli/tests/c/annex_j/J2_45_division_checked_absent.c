// expect: SAFE
// options: --check div
extern int nd(void);
int main(void) { int d = nd(); if (d <= 0) return 0; return -7 / d + -7 % d; }
