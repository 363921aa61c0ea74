// expect: SAFE
// without: abstraction, which looks at one comparison after the other
// What comparisons say of numbers and of what is none, and what zeroes with a sign are.
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

static void check_nan_ne(void) {
  float x = __VERIFIER_nondet_float();
  if (!(x == x || x != x)) reach_error();
}

static void check_nan_cmp(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  if (!(!(x < y) || !(x >= y))) reach_error();
}

static void check_nan_trich(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  if (isnan(x) || isnan(y)) return;
  if (!((x < y) + (x > y) + (x == y) == 1)) reach_error();
}

static void check_nan_not(void) {
  float x = __VERIFIER_nondet_float();
  if (!(!(x < 1.0f) == (x >= 1.0f || isnan(x)))) reach_error();
}

static void check_negzero_eq(void) {
  double x = __VERIFIER_nondet_double();
  if (x != 0.0) return;
  if (!(-x == x)) reach_error();
}

static void check_negzero_div(void) {
  float x = __VERIFIER_nondet_float();
  if (x != 0.0f) return;
  float y = 1.0f / x;
  if (!(isinf(y))) reach_error();
}

static void check_negzero_add(void) {
  double x = __VERIFIER_nondet_double();
  if (isnan(x)) return;
  if (x != 0) return;
  double z = x + 0.0;
  if (!(!signbit(z))) reach_error();
}

static void check_negzero_sub(void) {
  double x = __VERIFIER_nondet_double();
  if (isnan(x) || isinf(x)) return;
  double z = x - x;
  if (!(!signbit(z))) reach_error();
}

static void check_sub_zero(void) {
  double x = __VERIFIER_nondet_double();
  if (x != 0) return;
  double z = x - 0.0;
  if (!(signbit(z) == signbit(x))) reach_error();
}

static void check_unord(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  if (!(isunordered(x, y) == (isnan(x) || isnan(y)))) reach_error();
}

static void check_nan_to_bool(void) {
  double x = __VERIFIER_nondet_double();
  _Bool b = x;
  if (!(b == (x != 0.0))) reach_error();
}

static void check_if_nan(void) {
  double x = __VERIFIER_nondet_double();
  int r = 0;
  if (x) r = 1;
  if (!(r || x == 0)) reach_error();
}

static void check_sq_nonneg(void) {
  double x = __VERIFIER_nondet_double();
  if (!(!(x * x < 0))) reach_error();
}

int main(void) {
  switch (__VERIFIER_nondet_int()) {
  case 0: check_nan_ne(); break;
  case 1: check_nan_cmp(); break;
  case 2: check_nan_trich(); break;
  case 3: check_nan_not(); break;
  case 4: check_negzero_eq(); break;
  case 5: check_negzero_div(); break;
  case 6: check_negzero_add(); break;
  case 7: check_negzero_sub(); break;
  case 8: check_sub_zero(); break;
  case 9: check_unord(); break;
  case 10: check_nan_to_bool(); break;
  case 11: check_if_nan(); break;
  case 12: check_sq_nonneg(); break;
  }
  return 0;
}
