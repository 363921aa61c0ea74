// expect: SAFE
// options: --check bounds
/* With a width it is not. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { char text[4]; return scanf("%3s", text); }
