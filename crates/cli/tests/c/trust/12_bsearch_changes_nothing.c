// expect: SAFE
#include <stdlib.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) { if (calls < 9) calls++; return 0; }
int main(void) {
  char a[2] = {1, 3}, key = 3;
  bsearch(&key, a, 2, 1, compare);
  if (calls > 9) reach_error();
  return 0;
}
