// expect: UNSAFE
/* Whether `atexit` succeeds when the end has begun is open. */
#include <stdlib.h>
extern void reach_error(void);
static void nothing(void) {}
static void last(void) { if (atexit(nothing)) reach_error(); }
int main(void) { atexit(last); return 0; }
