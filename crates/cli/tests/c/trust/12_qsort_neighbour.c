// Sorting changes the array and nothing else.
// expect: SAFE
#include <stdlib.h>
extern void reach_error(void);
static int other = 7;
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
  char a[2] = {3, 1};
  qsort(a, 2, 1, compare);
  if (other != 7) reach_error();
  other = a[0];
  return 0;
}
