// Corners of the language that compilers' own tests are about.
void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
int target = 1;
extern int other_name __attribute__((alias("target")));
static int hidden[2];
extern int shown[2] __attribute__((alias("hidden")));
int count;
int *once(void) { count++; return &target; }
void aligned_function(void) __attribute__((aligned(64)));
void aligned_function(void) {}
static const char first[4] = "abcd", text[3][8] = { "a\0b", "cd", "" };
double infinite = 1e300 * 1e300, none = 0.0;
float negative_zero = -0.0f;
long double large = 2.5e4931L + 2.5e4931L, half = 1.0L / 4 + 0.25L;
int truth = 0.1 + 0.2 == 0.3;
struct wide { char bytes[1u << 30]; int last; };
unsigned long before(void) { return __builtin_strlen(text[0]) + __builtin_strlen(text[1]); }
static int *slots[3], **slot = slots;
void ends(int n, ...) {
  __builtin_va_list lists[2], *at = lists;
  __builtin_va_start(lists[0], n);
  __builtin_va_end(*at++);
  check(at == lists + 1);
}
int main(void) {
  other_name = 5; check(target == 5); target++; check(other_name == 6 && &other_name == &target);
  shown[1] = 3; check(hidden[1] == 3);
  __asm__("" : "+r"(*once())); check(count == 1 && target == 6);
  int x = 4, y; __asm__("" : "=r"(y) : "0"(x + 1)); check(y == 5);
  __asm__("" : "=m"(x) : "m"(x)); check(x == 4);
  __asm__ volatile("" ::: "memory"); check(x == 4);
  check(__alignof__(aligned_function) == 64);
  check(before() == 3 && text[0][2] == 'b' && first[3] == 'd');
  check(infinite > 1e308 && 1 / negative_zero < 0 && large == 5e4931L && half == 0.5L && !truth && none == 0);
  check(sizeof(struct wide) == (1u << 30) + 4 && (unsigned long)&((struct wide *)0)->last == 1ul << 30);
  ends(0);
  check(__builtin_classify_type(1) == 1 && __builtin_classify_type(1.0f) == 8 && __builtin_classify_type(&x) == 5);
  check(__builtin_classify_type(*(struct wide *)0) == 12 && __builtin_classify_type(2i) == 9);
  unsigned char big = 0; check(__builtin_add_overflow(200, 100, &big) && big == 44);
  check(__builtin_signbit(-0.0L) && !__builtin_signbit(1.0L) && __builtin_fabsl(-2.0L) == 2.0L);
  check(__builtin_copysign(3.0, -0.0) == -3.0 && __builtin_copysignl(-4.0L, 1.0L) == 4.0L && 1 / __builtin_copysignf(0.0f, -1.0f) < 0);
  return 0;
}
