// expect: UNSAFE
// without: abstraction, which looks at one comparison after the other
// Just above the largest float a double is rounded to it.
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
  double x = __VERIFIER_nondet_double();
  if (!(x > 0 && x < 3.4028235677973366e38)) return 0;
  float f = x;
  if (!(f < FLT_MAX)) reach_error();
  return 0;
}
