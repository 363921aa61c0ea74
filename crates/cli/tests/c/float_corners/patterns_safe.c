// expect: SAFE
// without: abstraction, which looks at one comparison after the other
// Patterns of numbers: signs, exponents, order, neighbours.
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

static void check_bits_sign(void) {
  float x = __VERIFIER_nondet_float();
  uint32_t u;
  memcpy(&u, &x, 4);
  if (!((u >> 31) == (signbit(x) != 0))) reach_error();
}

static void check_bits_abs(void) {
  float x = __VERIFIER_nondet_float();
  union { float f; uint32_t u; } v;
  v.f = x;
  v.u &= 0x7fffffffu;
  if (!(v.f >= 0 || isnan(x))) reach_error();
}

static void check_bits_exp(void) {
  double x = __VERIFIER_nondet_double();
  union { double f; uint64_t u; } v;
  v.f = x;
  int e = (v.u >> 52) & 0x7ff;
  if (!((e == 0x7ff) == (isnan(x) || isinf(x)))) reach_error();
}

static void check_bits_order(void) {
  float x = __VERIFIER_nondet_float(), y = __VERIFIER_nondet_float();
  if (isnan(x) || isnan(y)) return;
  int32_t a, b;
  memcpy(&a, &x, 4);
  memcpy(&b, &y, 4);
  if (a < 0 || b < 0) return;
  if (!((x < y) == (a < b))) reach_error();
}

static void check_bits_next(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 1.0f && x < 2.0f)) return;
  union { float f; uint32_t u; } v;
  v.f = x;
  v.u++;
  if (!(v.f - x == FLT_EPSILON)) reach_error();
}

static void check_isnormal(void) {
  float x = __VERIFIER_nondet_float();
  if (!(!isnormal(x) || fabsf(x) >= FLT_MIN)) reach_error();
}

static void check_fpclassify(void) {
  double x = __VERIFIER_nondet_double();
  int c = fpclassify(x);
  if (!((c == FP_SUBNORMAL) == (x != 0 && fabs(x) < DBL_MIN))) reach_error();
}

static void check_isfinite(void) {
  float x = __VERIFIER_nondet_float();
  if (!(isfinite(x) == (x - x == 0))) reach_error();
}

static void check_copysign(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  double z = copysign(x, y);
  if (!(signbit(z) == signbit(y))) reach_error();
}

static void check_neg_nan_sign(void) {
  double x = __VERIFIER_nondet_double();
  double y = -x;
  uint64_t a, b;
  memcpy(&a, &x, 8);
  memcpy(&b, &y, 8);
  if (!((a^b) == 0x8000000000000000ull)) reach_error();
}

int main(void) {
  switch (__VERIFIER_nondet_int()) {
  case 0: check_bits_sign(); break;
  case 1: check_bits_abs(); break;
  case 2: check_bits_exp(); break;
  case 3: check_bits_order(); break;
  case 4: check_bits_next(); break;
  case 5: check_isnormal(); break;
  case 6: check_fpclassify(); break;
  case 7: check_isfinite(); break;
  case 8: check_copysign(); break;
  case 9: check_neg_nan_sign(); break;
  }
  return 0;
}
