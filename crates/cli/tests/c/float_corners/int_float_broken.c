// expect: UNSAFE
// without: abstraction, which looks at one comparison after the other
// A float does not hold every int.
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
  int i = __VERIFIER_nondet_int();
  float f = i;
  if (!((int)f == i || f == 2147483648.0f)) reach_error();
  return 0;
}
