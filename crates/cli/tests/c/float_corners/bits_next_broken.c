// expect: UNSAFE
// without: abstraction, which looks at one comparison after the other
// The float behind the last one below 2 is 2.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 1.0f && x < 2.0f)) return 0;
  union { float f; uint32_t u; } v;
  v.f = x;
  v.u++;
  if (!(v.f < 2.0f)) reach_error();
  return 0;
}
