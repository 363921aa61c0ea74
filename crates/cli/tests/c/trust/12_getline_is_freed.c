// expect: SAFE
// options: --check free
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *l = 0;
  size_t n = 0;
  if (getline(&l, &n, stdin) < 0) { free(l); return 0; }
  l[0] = 0;
  free(l);
  return 0;
}
