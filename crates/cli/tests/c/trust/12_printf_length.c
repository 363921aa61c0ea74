// If nothing fails, the result is the length of the text.
// expect: SAFE
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  int n = printf("hello\n");
  if (n >= 0 && n != 6) reach_error();
  if (fflush(stdout) > 0) reach_error();
  return 0;
}
