// expect: UNSAFE
/* What `atexit` gives is open. */
#include <stdlib.h>
extern void reach_error(void);
static void nothing(void) {}
int main(void) { if (atexit(nothing)) reach_error(); return 0; }
