// expect: UNSAFE
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[3] = {1, 3, 5}, key = 3;
  int *p = bsearch(&key, a, 3, sizeof a[0], compare);
  if (p == a + 1) reach_error();
  return 0;
}
