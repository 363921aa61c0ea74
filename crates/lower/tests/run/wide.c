// Overflow of 128 bits; only where they exist.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
typedef __int128 S; typedef unsigned __int128 U;
int main(void) {
  S s, least = (S)1 << 127, most = ~least; U u, all = ~(U)0; long l; unsigned char c;
  check(!__builtin_add_overflow(most, (U)0, &s) && s == most); check(__builtin_add_overflow(most, (U)1, &s) && s == least); check(!__builtin_add_overflow(most, (U)1, &u) && u == (U)most + 1);
  check(!__builtin_add_overflow(all, (S)-1, &u) && u == all - 1); check(__builtin_add_overflow(all, (S)-1, &s) && s == -2); check(__builtin_add_overflow(all, all, &u) && u == all - 1); check(!__builtin_add_overflow(all, least, &u) && u == (U)most); check(!__builtin_add_overflow(all, least, &s) && s == most);
  check(!__builtin_sub_overflow((U)1, (U)2, &s) && s == -1); check(__builtin_sub_overflow((U)1, (U)2, &u) && u == all); check(__builtin_sub_overflow((S)0, all, &s) && s == 1); check(!__builtin_sub_overflow((S)-1, least, &u) && u == (U)most); check(__builtin_sub_overflow((S)0, least, &s) && !__builtin_sub_overflow((S)0, least, &u) && u == (U)least);
  check(!__builtin_sub_overflow(all, all - 5, &c) && c == 5 && __builtin_sub_overflow(all - 5, all, &c) && c == 251);
  check(!__builtin_mul_overflow((U)1 << 127, (S)-1, &s) && s == least); check(__builtin_mul_overflow((U)1 << 127, (S)-1, &u)); check(__builtin_mul_overflow((U)1 << 127, (S)1, &s)); check(!__builtin_mul_overflow(least, (S)-1, &u) && u == (U)least); check(__builtin_mul_overflow(least, (S)-1, &s)); check(__builtin_mul_overflow(all, (S)-1, &s) && s == 1); check(!__builtin_mul_overflow(all, 0, &l) && l == 0 && !__builtin_mul_overflow((S)-1, (U)7, &l) && l == -7);
  check(__builtin_mul_overflow((U)1 << 64, (U)1 << 64, &u) && u == 0); check(__builtin_bswap128((U)1) == (U)1 << 120);
  check(__builtin_add_overflow_p((S)1, (U)1, (unsigned char)0) == 0 && __builtin_mul_overflow_p(all, (S)2, all));
  return 0;
}
