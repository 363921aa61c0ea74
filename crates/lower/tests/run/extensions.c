// Extensions that few programs use.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
int strcmp(const char *, const char *); int vsnprintf(char *, unsigned long, const char *, __builtin_va_list);
const char *raw = R"(a\n"b)" "\n" R"x(
)")x"; unsigned short wide[] = uR"(\u)";
static int sum(int n; int a[n][2], int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i][0] * a[i][1]; return s; }
static void later(int, int); static int seen;
later(int a, int b) { seen = a - b; }
struct inner { int a; struct { short s, t; } pair[3]; };
__extension__ _Static_assert(__builtin_offsetof(struct inner, pair->t) == 6, "first");
static int list(char *to, const char *f, ...) { __builtin_va_list l; __builtin_va_start(l, f); int n = __builtin_vsprintf(to, f, l); __builtin_va_end(l); return n; }
int main(void) {
  check(!strcmp(raw, "a\\n\"b\n\n)\"") && wide[0] == '\\' && wide[1] == 'u' && sizeof wide == 6);
  int m[3][2] = {{1, 2}, {3, 4}, {5, 6}}; check(sum(m, 3) == 44); later(9, 4); check(seen == 5);
  for (_Static_assert(1, ""); seen < 7; seen++) ; check(seen == 7);
  switch (sizeof(struct local { int a, b; })) { case 8: { struct local { char c; } x = {1}; check(sizeof(struct local) == 1 && x.c); } }
  struct local { long l[4]; }; check(sizeof(struct local) == 4 * sizeof(long));
  _Complex float z = 1.0f + 2.0if; _Complex double w = 3.5iF64 + 1.0di; check(__imag__ z == 2 && __imag__ w == 4.5);
  check(__builtin_fabsf32(-1.5f) == 1.5f && __builtin_floorf64(2.5) == 2 && __builtin_copysignf32x(1, -2.0) == -1 && __builtin_inff32() > 1e38f && __builtin_sqrtf64(4) == 2);
  char b[20]; check(list(b, "%d-%s", 12, "x") == 4 && !strcmp(b, "12-x"));
  return 0;
}
