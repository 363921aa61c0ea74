// expect: UNKNOWN
// reason: accesses of `memccpy` are not checked
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <string.h>
int main(void) {
  char b[2];
  memccpy(b, "abc", 122, 4);
  return 0;
}
