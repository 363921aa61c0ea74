// expect: UNSAFE
/* What `printf` gives may be negative. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { if (printf("%d", 3) < 0) reach_error(); return 0; }
