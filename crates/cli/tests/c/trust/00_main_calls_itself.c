// expect: SAFE
/* What holds at the start need not hold when main calls main. */
extern void reach_error(void);
extern int nd(void);
static int g;
int main(void) { if (g > 2) reach_error(); g++; if (g <= 2 && nd()) main(); return 0; }
