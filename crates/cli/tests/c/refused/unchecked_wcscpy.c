// expect: UNKNOWN
// reason: accesses of `wcscpy` are not checked
// options: --check bounds
extern int nd(void);
extern void reach_error(void);
#include <wchar.h>
int main(void) {
  wchar_t b[3];
  wcscpy(b, L"abc");
  return 0;
}
