// expect: UNSAFE
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
extern char nd(void);
int main(void) {
  char b[24];
  for (int i = 0; i < 23; i++) b[i] = nd();
  b[23] = 0;
  errno = 0;
  long n = strtol(b, 0, 10);
  if (errno != 0) reach_error();
  return (int)n;
}
