// expect: UNSAFE
/* What was read is any value of its type. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { int x = 0; if (scanf("%d", &x) == 1 && x == -5) reach_error(); return 0; }
