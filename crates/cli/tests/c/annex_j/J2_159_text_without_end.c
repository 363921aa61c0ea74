// expect: UNSAFE
// options: --check bounds
/* `%s` reads an array that has no end. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { char text[2] = {'a', 'b'}; printf("%s", text); return 0; }
