// options: --check bounds
// expect: UNSAFE
#include <stdio.h>
int main(void) {
  char b[4];
  if (!fgets(b, 5, stdin)) return 1;
  return b[0];
}
