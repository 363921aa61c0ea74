// GNU's additions: nested functions, computed goto, cleanup, wide bit-fields, labels as values, constructors, aliases, asm.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
static int nested(int n) { int k = n; int add(int x) { k += x; return k; } int twice(int x) { return add(x) + add(x); } int r = twice(2); return r * 100 + k; }
static int fib(int n) { int go(int i, int a, int b) { return i == n ? a : go(i + 1, b, a + b); } return go(0, 0, 1); }
static int deep(void) { int r = 0; void f(int n) { void g(int m) { r += m; if (m) g(m - 1); } g(n); } f(4); return r; }
static int interpreter(const unsigned char *p) { static const void *const d[] = { &&inc, &&dec, &&halt }; int a = 0; goto *d[*p++]; inc: a += 5; goto *d[*p++]; dec: a--; goto *d[*p++]; halt: return a; }
static int offsets(int n) { static const int off[] = { &&l0 - &&l0, &&l1 - &&l0, &&l2 - &&l0 }; goto *(&&l0 + off[n]); l0: return 1; l1: return 2; l2: return 3; }
static int cleaned; static void clean(int *p) { cleaned += *p; }
static int leaves(int n) { int a __attribute__((cleanup(clean))) = 1; for (int i = 0; i < 3; i++) { int b __attribute__((cleanup(clean))) = 10; if (i == n) return cleaned; if (i == 1) continue; } return cleaned; }
static int started; __attribute__((constructor)) static void start(void) { started = 5; }
static int real(void) { return 4; } static int other(void) __attribute__((alias("real")));
struct wide { unsigned long long a : 40; long long b : 37; unsigned long long c : 24; };
union __attribute__((transparent_union)) any { int *i; float *f; }; static int pass(union any u) { return *u.i; }
static int difference(int n) { int a[3][n]; int (*p)[n] = a + 2; return p - a; }
int main(void) {
  check(nested(10) == 2614); check(fib(10) == 55); check(deep() == 10); unsigned char code[] = { 0, 0, 1, 0, 2 }; check(interpreter(code) == 14);
  check(offsets(0) == 1 && offsets(1) == 2 && offsets(2) == 3); check(leaves(1) == 10 && cleaned == 21); check(leaves(7) == 51 && cleaned == 52); check(started == 5); check(other() == 4);
  struct wide w = { 0xffffffffffull, -1, 0xffffff }; check(w.a << 4 == 0xfffffffff0ull); w.a++; check(w.a == 0); check(w.a - 1 == 0xffffffffffull && -w.b == 1 && ~w.a == 0xffffffffffull); check(w.b < 0 && (w.a > -1) == 0); w.b /= 2; check(w.b == 0); char ch = 1; ch |= (w.c >> 20) ^ w.a; check(ch == 15);
  int x = 7; check(pass(&x) == 7); check(difference(5) == 2); int y; __asm__("movl %1,%0" : "=r"(y) : "r"(x)); check(y == 7); __asm__("incl %0" : "+m"(x)); check(x == 8); void *p = &x, *q; __asm__("" : "=r"(q) : "0"(p)); check(q == p);
  char b[] = { "xy" }; check(sizeof b == 3); _Pragma("GCC diagnostic push") int \u00e9 = 3; check(\u00e9 == 3); long double l = 1.1L * 10; check((int)(l * 100) == 1100 && 0x1.8p1L == 3); return 0;
}
