// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = nd(); if (x < 0 && x >> 1 >= 0) reach_error(); return 0; }
