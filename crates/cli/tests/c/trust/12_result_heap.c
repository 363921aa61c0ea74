// An allocator that is handed out.
// expect: UNSAFE
#include <stdlib.h>
extern void reach_error(void);
extern void set_allocator(void *(*f)(unsigned));
static int *last;
static void *allocate(unsigned n) {
  last = malloc(4);
  if (last) *last = 1;
  return last;
}
int main(void) {
  set_allocator(allocate);
  if (last && *last == 9) reach_error();
  return 0;
}
