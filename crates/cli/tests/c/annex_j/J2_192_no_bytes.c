// expect: SAFE
// options: --check null
/* A function on no bytes accesses nothing. */
#include <string.h>
extern void reach_error(void);
int main(void) { char x = 1; memset(&x, 0, 0); if (x != 1) reach_error(); return 0; }
