// expect: UNSAFE
// options: --check bounds
/* A text that is read may be longer than its array. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { char text[4]; return scanf("%s", text); }
