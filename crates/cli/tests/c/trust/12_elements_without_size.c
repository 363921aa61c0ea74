// C11 7.21.8.1: elements of no size, no result.
// expect: SAFE
#include <stdio.h>
extern int nd(void);
extern void reach_error(void);
int main(void) {
  char b[4];
  if (fread(b, 0, 4, stdin) != 0) reach_error();
  if (fwrite(b, 0, 4, stdout) != 0) reach_error();
  return 0;
}
