// expect: UNSAFE
/* The array of `fgets` has any bytes where nothing was read. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { char line[4] = "abc"; if (!fgets(line, 4, stdin) && line[0] == 'z') reach_error(); return 0; }
