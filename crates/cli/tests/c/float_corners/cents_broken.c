// expect: UNSAFE
// without: abstraction, which looks at one comparison after the other
// Hundredths are not exact.
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
  int c = __VERIFIER_nondet_int();
  if (c < 0 || c > 10000) return 0;
  double e = c / 100.0;
  if (!((int)(e * 100) == c)) reach_error();
  return 0;
}
