// expect: SAFE
/* The first `exit` ends the run. */
#include <stdlib.h>
extern void reach_error(void);
static void leave(void) { exit(1); }
int main(void) { leave(); reach_error(); return 0; }
