// expect: UNSAFE
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void) {
  char a[2] = {3, 1};
  qsort(a, 2, 1, compare);
  if (a[0] == 1) reach_error();
  return 0;
}
