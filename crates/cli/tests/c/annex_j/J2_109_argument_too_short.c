// expect: UNSAFE
// options: --check bounds
/* A library function gets fewer bytes than it reads. */
#include <string.h>
extern void reach_error(void);
int main(void) { char from[3] = {1, 2, 3}, to[4]; memcpy(to, from, 4); return 0; }
