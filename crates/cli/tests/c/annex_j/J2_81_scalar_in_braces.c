// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) { int x = {3}; if (x != 3) reach_error(); return nd(); }
