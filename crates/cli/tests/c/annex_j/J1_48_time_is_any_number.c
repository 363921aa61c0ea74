// expect: UNSAFE
/* What `time` gives is any number. */
#include <time.h>
extern void reach_error(void);
int main(void) { if (time(0) == 77) reach_error(); return 0; }
