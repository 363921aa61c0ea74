// Printing to memory: texts, characters and integers with all flags.
typedef __typeof__(sizeof 0) size_t; int sprintf(char *, const char *, ...); int snprintf(char *, size_t, const char *, ...); int strcmp(const char *, const char *); int printf(const char *, ...);
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
static char b[80], tail[4];
static void is(int n, const char *want) { int k = 0; while (want[k]) k++; check(n == k && !strcmp(b, want)); }
int vsnprintf(char *, size_t, const char *, __builtin_va_list); int vprintf(const char *, __builtin_va_list);
static int listed(int which, ...) {
  __builtin_va_list l; __builtin_va_start(l, which); int n;
  if (which == 0) n = vsnprintf(b, sizeof b, "%d/%s/%lld%%%c%5hhx", l); else if (which == 1) n = vsnprintf(b, 4, "%s", l); else n = vprintf("%d%%\n", l);
  __builtin_va_end(l); return n;
}
int main(void) {
  volatile int zero = 0, minus = -42, big = 2147483647, least = -2147483647 - 1; volatile long long far = -9223372036854775807ll - 1; volatile unsigned u = 4000000000u; const char *t = "text"; char local[6] = "abcde";
  is(sprintf(b, "%d|%i|%u", zero, minus, u), "0|-42|4000000000"); is(sprintf(b, "%d %d", big, least), "2147483647 -2147483648"); is(sprintf(b, "%lld|%llu", far, far), "-9223372036854775808|9223372036854775808");
  is(sprintf(b, "%5d|%-5d|%05d|%+d|% d", minus, minus, minus, big, zero), "  -42|-42  |-0042|+2147483647| 0"); is(sprintf(b, "%.5d|%8.4d|%-8.4d|%08.4d|%.0d|%+.0d", minus, minus, minus, minus, zero, zero), "-00042|   -0042|-0042   |   -0042||+");
  is(sprintf(b, "%x|%X|%#x|%#X|%#x|%08x|%#06x", u, u, 255, 255, zero, 0xbeef, 0xab), "ee6b2800|EE6B2800|0xff|0XFF|0|0000beef|0x00ab"); is(sprintf(b, "%o|%#o|%#o|%#.3o|%#.0o|%o", 8, 8, zero, 8, zero, minus), "10|010|0|010|0|37777777726");
  is(sprintf(b, "%hhd|%hhu|%hd|%hx|%ld|%zu|%jd|%tx", 300, 300, 70000, -1, (long)minus, (size_t)7, 9ll, (__typeof__((char *)0 - (char *)0))16), "44|44|4464|ffff|-42|7|9|10");
  is(sprintf(b, "%s|%6s|%-6s|%.2s|%6.1s|%.0s", t, t, t, t, t, t), "text|  text|text  |te|     t|"); is(sprintf(b, "%c%c|%3c|%-3c|%%|", 'x', 'y', local[1], local[2]), "xy|  b|c  |%|"); is(sprintf(b, "%s%s%d%%", local, "", 1), "abcde1%"); is(sprintf(b, "plain"), "plain"); is(sprintf(b, "%%%%"), "%%");
  check(snprintf(tail, sizeof tail, "%d", minus * 1000) == 6 && !strcmp(tail, "-42")); check(snprintf(tail, 1, "%5d", 3) == 5 && tail[0] == 0); check(snprintf(0, 0, "%s:%d", t, big) == 15); tail[3] = 9; check(snprintf(tail, 3, "ab%d", 1) == 3 && tail[1] == 'b' && tail[2] == 0 && tail[3] == 9);
  is(listed(0, -5, "ab", 1ll << 40, 'z', 0x1ff), "-5/ab/1099511627776%z   ff"); check(listed(1, "abcdef") == 6 && !strcmp(b, "abc")); check(listed(2, 17) == 4);
  check(printf("%d %s%c", minus, t, '\n') == 9); is(sprintf(b, "%d%d%d%d", 1, 12, 123, zero), "1121230"); is(sprintf(b, "%+5d% 5d%+u", 7, 8, 9), "   +7    89"); return 0;
}
