// expect: SAFE
/* Initialisers are evaluated in the order of the list. */
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
int main(void) { int a[3] = {next(), next(), next()}; if (a[0] != 1 || a[2] != 3) reach_error(); return 0; }
