// expect: UNSAFE
/* A comparison function that writes is called, and does what it does. */
#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
int main(void) { int all[2] = {2, 1}; qsort(all, 2, sizeof all[0], compare); if (calls > 0) reach_error(); return 0; }
