// Function pointers, variadic functions, statics, shadowing, structures by value through pointers, old-style definitions.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
typedef __builtin_va_list va_list;
int add(int a, int b) { return a + b; } int mul(int a, int b) { return a * b; }
int (*table[2])(int, int) = {add, mul};
int apply(int (*op)(int, int), int a, int b) { return op(a, b); }
typedef struct { long a, b, c; } big;
int sum(int n, ...) { va_list ap; int s = 0; __builtin_va_start(ap, n); for (int i = 0; i < n; i++) s += __builtin_va_arg(ap, int); __builtin_va_end(ap); return s; }
static double vmix(const char *f, va_list ap) { double r = 0; va_list c; __builtin_va_copy(c, ap); for (; *f; f++) { if (*f == 'i') r += __builtin_va_arg(ap, int); else if (*f == 'd') r += __builtin_va_arg(ap, double); else if (*f == 'l') r += __builtin_va_arg(ap, long long); else if (*f == 'p') r += *__builtin_va_arg(ap, int *); else r += __builtin_va_arg(ap, big).c; } r += __builtin_va_arg(c, int) * 1000; __builtin_va_end(c); return r; }
double mix(const char *f, ...) { va_list ap; __builtin_va_start(ap, f); double r = vmix(f, ap); __builtin_va_end(ap); return r; }
int counter(void) { static int n = 5; return n++; }
int other(void) { static int n; return ++n; }
int old(a, c) int a; char c; { return a + c; }
big twice(big x) { x.a *= 2; x.c *= 2; return x; } big (*tw)(big) = twice;
int shadow(int x) { int r = x; { int x = 2; r += x; { int x = 3; r += x; } r += x; } return r + x; }
int fact(int n) { if (n < 2) return 1; return n * fact(n - 1); }
void nothing(void) {} void none(int *p) { if (p) return; *p = 1; }
int (*pick(int k))(int, int) { return k ? mul : add; }
int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
int main(void) {
  check(apply(add, 2, 3) == 5 && apply(&mul, 2, 3) == 6 && table[1](4, 5) == 20 && (*table[0])(1, 1) == 2 && (**add)(1, 2) == 3);
  check(sum(0) == 0 && sum(3, 1, 2, 3) == 6 && sum(2, 'a', (short)-1) == 96);
  int x = 7; big b = {1, 2, 40}; check(mix("idlpb", 1, 2.5, 1ll << 33, &x, b) == 1 + 2.5 + 8589934592.0 + 7 + 40 + 1000);
  check(counter() == 5 && counter() == 6 && other() == 1 && counter() == 7 && other() == 2);
  check(old(1, 300) == 45); big t = tw(b); check(t.a == 2 && t.c == 80 && b.c == 40); b = twice(b); check(b.a == 2 && twice(twice(b)).c == 320);
  check(shadow(10) == 27 && fact(10) == 3628800); nothing(); none(&x); check(pick(1)(3, 4) == 12 && pick(0)(3, 4) == 7); check(ack(2, 3) == 9);
  check(x == 7 && fact(fact(3)) == 720 && add(add(1, 2), mul(3, add(4, 5))) == 30); return 0;
}
