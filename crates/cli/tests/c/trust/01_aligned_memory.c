// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#include <stdlib.h>
int main(void) {
  char *p = aligned_alloc(64, 128);
  if (p && ((unsigned long)p & 63)) reach_error();
  free(p);
  void *q = 0;
  int r = posix_memalign(&q, 32, 100);
  if (r == 0 && (!q || ((unsigned long)q & 31))) reach_error();
  if (r != 0 && q) reach_error();
  return 0;
}
