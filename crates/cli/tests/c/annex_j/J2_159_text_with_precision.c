// expect: SAFE
// options: --check bounds
/* With a precision it reads no more than that. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { char text[2] = {'a', 'b'}; printf("%.2s", text); return 0; }
