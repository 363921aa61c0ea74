// GNU's vectors: elements, operators, comparisons, shuffles, conversions, parameters, results, static initialisers.
void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef short s8 __attribute__((vector_size(16)));
typedef signed char c8 __attribute__((vector_size(8)));
typedef double d2 __attribute__((vector_size(16)));
typedef long long l2 __attribute__((vector_size(16)));
v4 global = { 1, 2, 3 };
const v4 list[2] = { { 0, 5, 0, 7 }, (v4){ 8, 8, 8, 8 } };
struct holder { char c; v4 v; } shared = { 1, { 4, 3, 2, 1 } };
static v4 sums = { 11, 22, 33, 44 };
v4 add(v4 a, v4 b) { return a + b; }
f4 scale(f4 v, float by) { return v * by; }
int calls;
v4 *next(void) { static v4 box[2]; return &box[calls++]; }
int last(int n, ...) {
  __builtin_va_list ap; v4 v = {};
  __builtin_va_start(ap, n);
  while (n-- > 0) v = __builtin_va_arg(ap, v4);
  __builtin_va_end(ap);
  return v[3];
}
int main(void) {
  v4 a = { 1, -2, 3, 2147483647 }, b;
  int i = 2;
  check(a[1] == -2 && a[i] == 3 && global[3] == 0 && list[0][1] == 5 && list[1][2] == 8);
  check(shared.v[0] == 4 && sums[3] == 44);
  a[i] = 7; a[0] += 5; check(a[2] == 7 && a[0] == 6);
  b = add(a, global); check(b[0] == 7 && b[1] == 0 && b[2] == 10 && b[3] == 2147483647);
  b = a * 2; check(b[0] == 12 && b[3] == -2);
  b = 1 - a; check(b[0] == -5 && b[1] == 3);
  b = a > (v4){ 6, -3, 8, 0 }; check(b[0] == 0 && b[1] == -1 && b[2] == 0 && b[3] == -1);
  b = (a & 1) | (a << 2); check(b[0] == 24 && b[2] == 29);
  b = -a; check(b[1] == 2); b = ~a; check(b[0] == -7);
  u4 u = (u4)a; check(u[1] == 4294967294u); u >>= 31; check(u[1] == 1 && u[0] == 0);
  b ^= b; check(b[0] == 0 && b[3] == 0);
  b += (v4){ 1, 2, 3, 4 }; b++; check(b[3] == 5 && (b--)[0] == 2 && b[0] == 1);
  *next() += a; check(calls == 1); (*next())[1] = 4; check(calls == 2);
  f4 f = { 1.5f, 2, -3, 0 }; f = scale(f, 2); check(f[0] == 3 && f[2] == -6);
  v4 less = f < 1.0f; check(less[0] == 0 && less[2] == -1);
  f = __builtin_convertvector(a, f4); check(f[0] == 6.0f && f[1] == -2.0f);
  b = __builtin_shuffle(a, (v4){ 3, 2, 1, 0 }); check(b[0] == a[3] && b[3] == a[0]);
  b = __builtin_shuffle(a, global, (v4){ 0, 4, 5, 9 }); check(b[1] == 1 && b[2] == 2 && b[3] == a[1]);
  b = __builtin_shufflevector(a, global, 3, 4, 0, 6); check(b[0] == a[3] && b[1] == 1 && b[2] == 6 && b[3] == 3);
  c8 c = { 127, -128, 100, 4, 5, 6, 7, 8 }; c = c + 1; check(c[0] == -128 && c[1] == -127); c = c / 3; check(c[2] == 33);
  s8 s = (s8)a; check(s[0] == 6 && s[2] == -2 && s[3] == -1);
  long long whole = (long long)c; check((signed char)whole == c[0]);
  d2 d = { 0.5, 0.25 }; l2 bits = (l2)d; check(bits[0] == 0x3fe0000000000000LL);
  l2 equal = d == (d2){ 0.5, 1 }; check(equal[0] == -1 && equal[1] == 0);
  check(last(2, a, (v4){ 1, 2, 3, 4 }) == 4);
  struct holder copy = shared; copy.v[2] = 9; check(shared.v[2] == 2 && copy.v[2] == 9);
  b = calls ? a : global; check(b[0] == a[0]);
  v4 *p = &b; (*p)[3] = 1; check(b[3] == 1 && sizeof b == 16 && __alignof__(v4) == 16);
  return 0;
}
