// expect: SAFE
// The built-in looks at a number in the format that it has: no conversion stands between, which could change the sign of what is not a
// number.
#include <stdint.h>
#include <string.h>
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  uint32_t bits;
  memcpy(&bits, &x, 4);
  if ((bits >> 31) != (__builtin_signbit(x) != 0)) reach_error();
  return 0;
}
