// expect: SAFE
// without: abstraction, which needs many rounds
// Constants, initialisers, parameters, variable arguments, conversions: gcc's program ends too.
extern void reach_error(void);
#include <stdarg.h>
static __float128 g = 0.1Q, h[2] = { 1, 2.5 }, big = 18446744073709551615ULL, neg = -0.0;
struct s { char c; __float128 q; } st = { 1, 3.25Q };
static __float128 f(__float128 x, int n) { return n ? x + n : -x; }
static __float128 v(int n, ...) { va_list l; va_start(l, n); __float128 q = va_arg(l, __float128); va_end(l); return q; }
int main(void) {
  if (g == 0.1 || g * 10 != 1) reach_error();
  if (h[0] != 1 || h[1] != 2.5L || big != 18446744073709551615.0Q) reach_error();
  if (1 / neg > 0) reach_error();
  if (st.q != 3.25 || sizeof st != 32 || _Alignof(__float128) != 16) reach_error();
  if (f(2, 0) != -2 || f(2, 3) != 5) reach_error();
  if (v(1, (__float128)7) != 7) reach_error();
  __float128 z = 0; z++; z += 0.5; z = z ? z : 9; _Bool b = z; if (z != 1.5 || !b) reach_error();
  __float128 inf = 1 / (z - 1.5Q), nan = inf - inf; if (nan == nan || !(inf > 1e300) || !__builtin_isnan(nan)) reach_error();
  unsigned __int128 u = (unsigned __int128)1 << 100; if ((__float128)u != 1267650600228229401496703205376.0Q || (unsigned __int128)(__float128)u != u) reach_error();
  long double e = 1.1L; __float128 q = e; if ((long double)q != e) reach_error();
  return 0; }
