// Built-in operations and library models.
void reach_error(void); static void check(int c) { if (!c) reach_error(); } int abs(int); long labs(long); int printf(const char *, ...); void exit(int); int rand(void);
int main(void) {
  check(abs(-4) == 4 && labs(7) == 7 && __builtin_abs(-1) == 1); check(__builtin_popcount(0xf0f1) == 9 && __builtin_popcountll(~0ull) == 64 && __builtin_parity(7) == 1);
  check(__builtin_clz(1) == 31 && __builtin_clzll(1ull << 40) == 23 && __builtin_ctz(8) == 3 && __builtin_ctzll(1ull << 63) == 63 && __builtin_ffs(0) == 0 && __builtin_ffs(-8) == 4);
  check(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(0x12345678) == 0x78563412 && __builtin_bswap64(1) == 1ull << 56);
  int r; check(!__builtin_add_overflow(1, 2, &r) && r == 3); check(__builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1); unsigned char c; check(__builtin_mul_overflow(16, 16, &c) && c == 0); check(!__builtin_sub_overflow(5u, 3, &c) && c == 2); check(__builtin_sub_overflow(3u, 5u, &c) && c == 254); long long w; check(!__builtin_mul_overflow(-3, 4000000000u, &w) && w == -12000000000ll);
  int x = 5; check(__sync_fetch_and_add(&x, 3) == 5 && x == 8); check(__sync_add_and_fetch(&x, 2) == 10); check(__sync_bool_compare_and_swap(&x, 10, 1) && x == 1); check(__sync_val_compare_and_swap(&x, 7, 2) == 1 && x == 1); check(__sync_lock_test_and_set(&x, 4) == 1 && x == 4); __sync_lock_release(&x); check(x == 0); check(__sync_fetch_and_or(&x, 6) == 0 && __sync_and_and_fetch(&x, 3) == 2 && __sync_fetch_and_nand(&x, 2) == 2 && x == ~2);
  int old = 4; x = 4; check(__atomic_compare_exchange_n(&x, &old, 9, 0, 5, 5) && x == 9); check(!__atomic_compare_exchange_n(&x, &old, 1, 0, 5, 5) && old == 9); check(__atomic_load_n(&x, 5) == 9); __atomic_store_n(&x, 3, 5); check(x == 3 && __atomic_exchange_n(&x, 6, 5) == 3 && __atomic_fetch_add(&x, 1, 5) == 6);
  check(__builtin_expect(x == 7, 1)); printf("%d %s\n", x++, "x"); check(x == 8); int k = __builtin_offsetof(struct { char a; int b; }, b); check(k == 4); check(__builtin_constant_p(3) == 1); check(__builtin_types_compatible_p(int, int)); check(_Generic(1.0, double: 1, default: 2) == 1);
  char *p = __builtin_alloca(10); p[9] = 3; check(p[9] == 3); char buf[4]; __builtin_memset(buf, 1, 4); check(buf[3] == 1); char b2[4]; __builtin_memcpy(b2, buf, sizeof b2); check(b2[0] == 1);
  if (x == 9) __builtin_unreachable(); if (x == 8) exit(3); reach_error(); return 0;
}
