// expect: UNSAFE
// without: abstraction, which looks at one comparison after the other
// The largest float below 2^31 is 2147483520.
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
  float d = __VERIFIER_nondet_float();
  if (!(d >= -2147483648.0f && d < 2147483648.0f)) return 0;
  int i = (int)d;
  if (!(i < 2147483520)) reach_error();
  return 0;
}
