// No library function sets errno to zero.
// expect: SAFE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  errno = 5;
  char *p = malloc(10);
  if (!p && errno != ENOMEM) reach_error();
  puts("x");
  if (errno == 0) reach_error();
  free(p);
  return 0;
}
