// expect: UNSAFE
// options: --check free
extern int nd(void);
extern void reach_error(void);
#include <stdlib.h>
int main(void) {
  char *p = aligned_alloc(64, 128);
  free(p);
  if (p && nd()) free(p);
  return 0;
}
