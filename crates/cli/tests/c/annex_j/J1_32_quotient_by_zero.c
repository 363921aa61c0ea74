// expect: UNSAFE
/* The quotient that `remquo` stores is open. */
#include <math.h>
extern void reach_error(void);
int main(void) { int q = 0; double r = remquo(1.0, 0.0, &q); if (r != r && q == 5) reach_error(); return 0; }
