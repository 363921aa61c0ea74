// expect: UNSAFE
#include <wchar.h>
extern void reach_error(void);
int main(void) {
  const wchar_t *p = L"xyz", *q = L"yz";
  if (q == p + 1) reach_error();
  return 0;
}
