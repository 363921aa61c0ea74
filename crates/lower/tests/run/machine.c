// What is close to the machine: alignment, atomic operations on memory, overflow of wide types, signals that cannot come.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
typedef int line __attribute__((aligned(64)));
static int lies(const void *p, unsigned n) { return ((unsigned long)p & (n - 1)) == 0; }
line global_line = 3; int small, global_attr __attribute__((aligned(128))) = 4; extern line later; static int *through = &global_attr;
static int alignment(void) {
  char c; line x = 5; int y __attribute__((aligned(32))) = x + 1; struct { char c; } s __attribute__((aligned(64))); _Alignas(16) short z; z = 7;
  int inner(void) { line w = 1; return lies(&w, 64) + lies(&x, 64) + w + x++; }
  check(lies(&x, 64) && lies(&y, 32) && lies(&s, 64) && lies(&z, 16) && lies(&global_line, 64) && lies(&global_attr, 128) && lies(&later, 64));
  check(inner() == 8 && x == 6); int *p = &y; *p += z; c = y; *through += global_line--; return c + x + global_attr + global_line + later;
}
line later = 1;
static void atomics(void) {
  int x = 1, y = 2, z = 0; struct pair { int a; char b; } p = {1, 2}, q = {3, 4};
  __atomic_load(&x, &z, 5); check(z == 1); __atomic_store(&x, &y, 5); check(x == 2); y = 9; __atomic_exchange(&x, &y, &z, 5); check(x == 9 && z == 2 && y == 9);
  int want = 4, next = 5; check(!__atomic_compare_exchange(&x, &want, &next, 0, 5, 5) && want == 9 && x == 9); check(__atomic_compare_exchange(&x, &want, &next, 1, 5, 5) && x == 5);
  __atomic_store(&p, &q, 5); check(p.a == 3 && p.b == 4); check(__builtin_speculation_safe_value(x) == 5);
}
static void overflow(long long a, unsigned long long b, int i) {
  unsigned long long u; long long s; unsigned char c; signed char d;
  check(__builtin_sub_overflow(a, b, &s) == 0 && s == -7); check(__builtin_sub_overflow(a, b, &u) && u == -7ull); check(__builtin_mul_overflow(a, b, &s) == 0 && s == -12);
  check(__builtin_mul_overflow(b << 60, b << 60, &u) && u == 0); check(__builtin_add_overflow(b, a, &c) == 0 && c == 1); check(__builtin_add_overflow(~b, i, &s) && s == -5 + i);
  check(!__builtin_sub_overflow(0, 128, &d) && d == -128 && __builtin_sub_overflow(0u, 129u, &d) && __builtin_mul_overflow_p(a, b, (unsigned)0) && !__builtin_mul_overflow_p(a, -b + b, 0u));
}
void (*signal(int, void (*)(int)))(int);
static void handler(int n) { reach_error(); }
int main(void) {
  check(alignment() == 13 + 6 + 7 + 2 + 1); atomics(); overflow(-3, 4, 2); signal(11, handler); signal(2, (void (*)(int))1); return 0;
}
