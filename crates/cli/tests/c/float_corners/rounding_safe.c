// expect: SAFE
// without: abstraction, which looks at one comparison after the other
// Where sums, products and narrowing round.
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

static void check_overflow_inf(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x > 1e38f && x <= FLT_MAX)) return;
  float y = x * 10.0f;
  if (!(y == INFINITY)) reach_error();
}

static void check_cast_inf(void) {
  double x = __VERIFIER_nondet_double();
  if (isnan(x) || isinf(x)) return;
  float f = x;
  if (!(!isnan(f))) reach_error();
}

static void check_cast_edge(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x > 0 && x < 3.4028235677973366e38)) return;
  float f = x;
  if (!(f <= FLT_MAX)) reach_error();
}

static void check_cast_under(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x > 0 && x < 1e-40)) return;
  float f = x;
  if (!(f >= 0 && f <= 1.1e-40f)) reach_error();
}

static void check_clamp(void) {
  double x = __VERIFIER_nondet_double();
  if (x < -1) x = -1;
  if (x > 1) x = 1;
  if (!((x >= -1 && x <= 1) || isnan(x))) reach_error();
}

static void check_clamp2(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= -1)) x = -1;
  if (!(x <= 1)) x = 1;
  if (!(x >= -1 && x <= 1)) reach_error();
}

static void check_absorb(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x >= 3e7f && x < 1e8f)) return;
  float y = x + 0.9f;
  if (!(y == x)) reach_error();
}

static void check_absorb2(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= 1e16 && x < 1e17)) return;
  double y = x + 0.5;
  if (!(y == x)) reach_error();
}

static void check_half_dbl(void) {
  float x = __VERIFIER_nondet_float();
  if (isnan(x) || isinf(x)) return;
  float y = x * 0.5f;
  float z = y * 2;
  if (!(fabsf(x) < 1e-30f || z == x)) reach_error();
}

static void check_tern_max(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  double m = x > y ? x:y;
  if (!(m >= x || isnan(x) || isnan(y))) reach_error();
}

static void check_char_compound(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  if (c > 100) return;
  c *= 1.5;
  if (!(c <= 150)) reach_error();
}

static void check_int_compound(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1000) return;
  int o = i;
  i += 0.9;
  if (!(i == o)) reach_error();
}

int main(void) {
  switch (__VERIFIER_nondet_int()) {
  case 0: check_overflow_inf(); break;
  case 1: check_cast_inf(); break;
  case 2: check_cast_edge(); break;
  case 3: check_cast_under(); break;
  case 4: check_clamp(); break;
  case 5: check_clamp2(); break;
  case 6: check_absorb(); break;
  case 7: check_absorb2(); break;
  case 8: check_half_dbl(); break;
  case 9: check_tern_max(); break;
  case 10: check_char_compound(); break;
  case 11: check_int_compound(); break;
  }
  return 0;
}
