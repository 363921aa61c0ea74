// expect: UNKNOWN
// reason: streams that lie in memory
// options: --externs pure
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
int main(void) {
  static char b[8];
  FILE *f = fmemopen(b, 8, "w");
  fputs("abc", f);
  if (b[0] == 'a') reach_error();
  return 0;
}
