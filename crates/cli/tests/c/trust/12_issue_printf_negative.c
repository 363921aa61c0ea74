// A printing function may fail: its result is then negative.
// expect: UNSAFE
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  if (printf("hello\n") < 0) reach_error();
  return 0;
}
