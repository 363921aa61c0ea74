// expect: UNSAFE
#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) {
  if (++calls == 3) reach_error();
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int a[3] = {3, 1, 2};
  qsort(a, 3, sizeof a[0], compare);
  return 0;
}
