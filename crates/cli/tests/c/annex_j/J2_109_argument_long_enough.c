// expect: SAFE
// options: --check bounds
/* It gets as many as it reads. */
#include <string.h>
extern void reach_error(void);
int main(void) { char from[4] = {1, 2, 3, 4}, to[4]; memcpy(to, from, 4); if (to[3] != 4) reach_error(); return 0; }
