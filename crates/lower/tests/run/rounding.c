// Functions on floats that are a few operations, in all three types, and complex numbers of extreme sizes.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
double floor(double), ceil(double), trunc(double), round(double), rint(double), nearbyint(double), fmin(double, double), fmax(double, double), fdim(double, double);
float floorf(float), ceilf(float), roundf(float); long double floorl(long double), ceill(long double), rintl(long double), roundl(long double), fmaxl(long double, long double);
long lround(double), lrintf(float); long long llroundl(long double);
double in[] = {0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999999999999994, -0.3, 4503599627370495.5, -4503599627370495.5, 4503599627370497.0, 1e300, -1e300, 3.0, -7.0};
double down[] = {0.0, -0.0, 0, -1, 1, -2, 2, -3, 0, -1, 4503599627370495, -4503599627370496, 4503599627370497.0, 1e300, -1e300, 3.0, -7.0};
double cut[] = {0.0, -0.0, 0, -0.0, 1, -1, 2, -2, 0, -0.0, 4503599627370495, -4503599627370495, 4503599627370497.0, 1e300, -1e300, 3.0, -7.0};
double near[] = {0.0, -0.0, 0, -0.0, 2, -2, 2, -2, 0, -0.0, 4503599627370496, -4503599627370496, 4503599627370497.0, 1e300, -1e300, 3.0, -7.0};
double away[] = {0.0, -0.0, 1, -1, 2, -2, 3, -3, 0, -0.0, 4503599627370496, -4503599627370496, 4503599627370497.0, 1e300, -1e300, 3.0, -7.0};
static int same(double x, double y) { return x == y && __builtin_signbit(x) == __builtin_signbit(y); }
static int class(double x) { return __builtin_fpclassify(1, 2, 3, 4, 5, x); }
static int class_l(long double x) { return __builtin_fpclassify(1, 2, 3, 4, 5, x); }
typedef _Complex double cd; typedef _Complex float cf; typedef _Complex long double cl;
int main(void) {
  for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
    double x = in[i];
    check(same(floor(x), down[i]) && same(ceil(-x), -down[i]) && same(trunc(x), cut[i]) && same(rint(x), near[i]) && same(nearbyint(x), near[i]) && same(round(x), away[i]));
    check(floorl(x) == down[i] && ceill(-(long double)x) == -down[i] && rintl(x) == near[i] && roundl(x) == away[i]);
    check(__builtin_trunc(-x) == -cut[i] && __builtin_ceil(x) == -floor(-x));
    if (x > -9 && x < 9) check(lround(x) == (long)away[i] && llroundl(x) == (long long)away[i] && __builtin_lrint(x) == (long)near[i] && floorf(x) == floor((float)x) && roundf(2 * x) == round(2 * (float)x));
  }
  double inf = __builtin_inf(), nan = inf - inf;
  check(floor(inf) == inf && ceil(-inf) == -inf && rint(nan) != rint(nan) && lrintf(2.5f) == 2);
  check(fmin(1, 2) == 1 && fmax(1, 2) == 2 && fmax(nan, 3) == 3 && fmin(4, nan) == 4 && fmax(nan, nan) != 0 && fmaxl(-1, -2) == -1);
  check(fdim(3, 1) == 2 && fdim(1, 3) == 0 && fdim(inf, inf) == 0 && fdim(nan, 1) != 0);
  check(class(nan) == 1 && class(-inf) == 2 && class(-1.5) == 3 && class(1e-310) == 4 && class(-0.0) == 5 && class(0x1p-1022) == 3 && class_l(0x1p-16383L) == 4 && class_l(1) == 3);
  check(__builtin_isnormal(-2.0f) && !__builtin_isnormal(0x1p-127f) && !__builtin_isnormal(inf) && !__builtin_isnormal(nan) && !__builtin_isnormal(0.0L));
  cd z = __builtin_complex(inf, nan), w = __builtin_complex(1.0, 2.0), q;
  q = z * w; check(__builtin_isinf(__real__ q) && __builtin_isinf(__imag__ q));
  q = z * z; check(__builtin_isinf(__real__ q) || __builtin_isinf(__imag__ q));
  q = __builtin_complex(nan, nan); q = q * w; check(q != q);
  q = w / (w - w); check(__builtin_isinf(__real__ q) && __builtin_isinf(__imag__ q));
  q = w / __builtin_complex(inf, 1.0); check(q == 0);
  q = z / w; check(__builtin_isinf(__real__ q));
  cd big = __builtin_complex(1e308, 1e308); q = big / big; check(q == 1); q = w / big; check(__real__ q > 1e-308 && __imag__ q > 4e-309);
  cd tiny = __builtin_complex(4e-320, 4e-320); q = tiny / tiny; check(q == 1);
  q = big / tiny; check(__builtin_isinf(__real__ q));
  cf f = __builtin_complex(1.0f, 1.0f), g = f - f; f = f / g; check(__builtin_isinff(__real__ f));
  cl l = __builtin_complex(1e4900L, 1e4900L); cl one = l / l; check(one == 1); l *= __builtin_complex(1e4900L, -1e4900L); check(__real__ l > 1e4900L);
  return 0;
}
