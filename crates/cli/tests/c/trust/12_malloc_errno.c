// expect: UNSAFE
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  errno = 0;
  char *p = malloc(10);
  if (!p && errno == ENOMEM) reach_error();
  free(p);
  return 0;
}
