// options: --check bounds
// expect: SAFE
#include <stdio.h>
int main(void) {
  char b[4];
  int n = 0;
  if (fgets(b, 4, stdin)) while (b[n]) n++;
  return n;
}
