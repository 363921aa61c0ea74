// expect: UNSAFE
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <stdlib.h>
int main(void) {
  void *q = 0;
  if (posix_memalign(&q, 32, 100)) return 0;
  ((char *)q)[nd() & 127] = 1;
  return 0;
}
