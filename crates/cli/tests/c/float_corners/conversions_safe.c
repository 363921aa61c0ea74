// expect: SAFE
// without: abstraction, which looks at one comparison after the other
// Conversions at the ends of integer types, and constants of other types.
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

static void check_int_float(void) {
  int i = __VERIFIER_nondet_int();
  float f = i;
  if (!((double)f >= -2147483648.0 && (double)f <= 2147483648.0)) reach_error();
}

static void check_ulong_dbl(void) {
  unsigned long i = __VERIFIER_nondet_ulong();
  double f = i;
  if (!(f <= 18446744073709551616.0)) reach_error();
}

static void check_flt_int_edge(void) {
  float d = __VERIFIER_nondet_float();
  if (!(d >= -2147483648.0f && d < 2147483648.0f)) return;
  int i = (int)d;
  if (!(i <= 2147483520)) reach_error();
}

static void check_flt_uint(void) {
  float d = __VERIFIER_nondet_float();
  if (!(d > -1.0f && d < 4294967296.0f)) return;
  unsigned i = (unsigned)d;
  if (!(i <= 4294967040u)) reach_error();
}

static void check_promo_const(void) {
  float x = 0.1f;
  int k = __VERIFIER_nondet_int();
  if (!(x != 0.1 && x > 0.1)) reach_error();
}

static void check_cmp_int_max(void) {
  float f = __VERIFIER_nondet_float();
  int ok = f <= INT_MAX;
  if (!(ok == (f <= 2147483648.0f))) reach_error();
}

static void check_ll_edge(void) {
  double d = __VERIFIER_nondet_double();
  if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) return;
  long long l = d;
  if (!(l <= 9223372036854774784LL)) reach_error();
}

static void check_uint_minus(void) {
  unsigned u = __VERIFIER_nondet_uint();
  double d = -(double)u;
  if (!(d <= 0)) reach_error();
}

static void check_ulong_float(void) {
  unsigned long u = __VERIFIER_nondet_ulong();
  float f = u;
  if (!(f >= 0 && f <= 18446744073709551616.0f)) reach_error();
}

int main(void) {
  switch (__VERIFIER_nondet_int()) {
  case 0: check_int_float(); break;
  case 1: check_ulong_dbl(); break;
  case 2: check_flt_int_edge(); break;
  case 3: check_flt_uint(); break;
  case 4: check_promo_const(); break;
  case 5: check_cmp_int_max(); break;
  case 6: check_ll_edge(); break;
  case 7: check_uint_minus(); break;
  case 8: check_ulong_float(); break;
  }
  return 0;
}
