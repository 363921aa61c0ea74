// expect: UNSAFE
/* An element that was read in part has any value. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { int x = 0; if (fread(&x, sizeof x, 1, stdin) == 0 && x == 5) reach_error(); return 0; }
