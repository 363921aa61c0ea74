// Promotions, conversions, wrap-around, division, shifts, comparisons of mixed signedness.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
int zero = 0;
int main(void) {
  unsigned char uc = 250; uc += 10; check(uc == 4);
  signed char sc = 127; sc++; check(sc == -128);
  short s = -1; unsigned short us = s; check(us == 65535);
  int i = -1; unsigned u = 1; check(i > u);
  check((long long)i < (long long)u);
  check(-7 / 2 == -3); check(-7 % 2 == -1); check(7 % -2 == 1);
  int a = -7, b = 2; check(a / b == -3 && a % b == -1);
  check((a >> 1) == -4); check((unsigned)a >> 28 == 15);
  check((1u << 31) == 2147483648u);
  unsigned char k = 0x80; check(k << 1 == 256); check((unsigned char)(k << 1) == 0);
  check(~0 == -1); check(!5 == 0); check(!zero == 1); check(-(-5) == 5); check(+k == 128);
  _Bool t = 256; check(t == 1); t = 0.5; check(t == 1); t--; check(t == 0); t++; t++; check(t == 1);
  char c = 200; check(c < 0);
  unsigned long long big = ~0ull; big++; check(big == 0);
  check(sizeof(int) == 4); check(sizeof big == 8);
  int x = 5; x *= 3; x -= 1; x /= 2; x %= 4; x <<= 3; x |= 5; x &= ~1; x ^= 2; check(x == 30);
  c = 100; c *= 3; check(c == 44);
  uc = 200; uc >>= 1; check(uc == 100);
  s = 32767; s += 1; check(s == -32768);
  enum e { A, B = 5, C }; enum e v = C; check(v == 6 && A == 0);
  check((v > B ? 10 : 20) == 10);
  u = 3; u -= 4; check(u == 4294967295u);
  long long ll = 1; ll <<= 40; check(ll >> 38 == 4);
  i = 2147483647; i++; check(i == -2147483647 - 1);
  check((int)4294967295u == -1);
  check((1 ? -1 : 1u) > 0);
  __int128 w = (__int128)1 << 100; check((int)(w >> 98) == 4);
  return 0;
}
