// expect: UNSAFE
// options: --check null
/* A library function reads through null. */
#include <string.h>
extern void reach_error(void);
int nd(void);
int main(void) { return (int)strlen(nd() ? "a" : (char *)0); }
