// expect: UNSAFE
// options: --check free
// unknown: abstraction: too slow
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *l = 0, *old;
  size_t n = 0;
  if (getline(&l, &n, stdin) < 1) return 0;
  old = l;
  if (getline(&l, &n, stdin) < 1) return 0;
  old[0] = 1;
  return 0;
}
