// expect: UNSAFE
// options: --check bounds
// unknown: abstraction: too slow
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *l = 0;
  size_t n = 0;
  ssize_t r = getline(&l, &n, stdin);
  if (r > 0) l[r + 1] = 0;
  return 0;
}
