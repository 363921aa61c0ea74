// expect: UNSAFE
#include <search.h>
extern void reach_error(void);
static int calls;
static int compare(const void *a, const void *b) { calls++; return a < b ? -1 : a > b; }
int main(void) {
  void *root = 0;
  int x = 1;
  tsearch(&x, &root, compare);
  if (calls == 2) reach_error();
  return 0;
}
