// expect: UNKNOWN
// reason: accesses of `mbstowcs` are not checked
// options: --check free
extern int nd(void);
extern void reach_error(void);
#include <stdlib.h>
int main(void) {
  char b[4];
  mbstowcs((wchar_t *)b, "abc", 4);
  return 0;
}
