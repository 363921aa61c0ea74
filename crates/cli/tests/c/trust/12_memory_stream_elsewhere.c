// expect: SAFE
extern int nd(void);
extern void reach_error(void);
#define _GNU_SOURCE
#include <stdio.h>
static int apart;
int main(void) {
  char b[8] = {0};
  FILE *f = fmemopen(b, 8, "w");
  if (!f) return 0;
  apart = 3;
  fputs("abc", f);
  fclose(f);
  if (apart != 3) reach_error();
  return 0;
}
