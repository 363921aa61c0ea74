// expect: UNSAFE
/* The other way. */
#include <stdlib.h>
extern void reach_error(void);
int main(void) { if (!malloc(0)) reach_error(); return 0; }
