// Sorting changes the array and nothing else.
// expect: SAFE
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[3] = {3, 1, 2}, other = 7;
  int *p = &other;
  qsort(a, 3, sizeof a[0], compare);
  if (*p != 7) reach_error();
  return 0;
}
