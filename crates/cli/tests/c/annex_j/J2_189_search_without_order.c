// expect: UNSAFE
/* In an array without order an element may be found, */
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int all[3] = {3, 1, 2}, key = 1; if (bsearch(&key, all, 3, sizeof key, compare)) reach_error(); return 0; }
