// expect: UNSAFE
/* An allocation of no bytes gives null or a pointer: both are possible. */
#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (malloc(0)) reach_error(); return 0; }
