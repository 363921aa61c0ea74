// expect: UNSAFE
/* What `ftell` gives is any number. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { if (ftell(stdin) == 7) reach_error(); return 0; }
