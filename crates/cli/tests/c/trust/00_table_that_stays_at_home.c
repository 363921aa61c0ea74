// expect: SAFE
extern void reach_error(void);
extern int nd(void);
static int t[4] = {1, 2, 3, 4};
int main(void) { nd(); if (t[2] != 3) reach_error(); return 0; }
