// Floating types.
void reach_error(void); static void check(int c) { if (!c) reach_error(); }
double gd = 1.0 / 4; float gf = 3; long double gl = 2.5L; double fabs(double); int isnan(double);
double half(double x) { return x / 2; }
int main(void) {
  double d = 0.1 + 0.2; check(d != 0.3 && d > 0.3 && d < 0.3000000000000001); float f = 0.1f; check(f != 0.1); check((float)0.1 == f);
  check(gd == 0.25 && gf == 3.0f && gl == 2.5L); int i = 7 / 2.0; check(i == 3); i = -2.9; check(i == -2); unsigned char c = 200.7; check(c == 200); check((double)16777217 != (float)16777217);
  d = 5; d /= 2; d += 1; d++; check(d == 4.5); i = 3; i *= 1.5; check(i == 4); check(half(3) == 1.5); check(-d == -4.5 && !0.0 && !!d); check(1e300 * 1e10 > 1e308); double nan = 0.0 / 0.0 ; check(nan != nan && !(nan < 1) && !(nan >= 1) && isnan(nan)); check(fabs(-2.5) == 2.5 && 1 / fabs(-0.0) > 0);
  long double l = 1; l /= 3; check(l * 3 == 1 && (double)l != l); unsigned long long u = 1ull << 63; check((double)u == 9223372036854775808.0); check((unsigned long long)(double)u == u); check((float)1 / 3 < 0.3333334f); if (d) i = 9; check(i == 9); check((d > 4 ? 1.5 : 2) == 1.5); f = 1; f -= 0.9; check(f > 0.09f && f < 0.11f);
  double a[2] = {1.5}; a[1] = a[0]++ * 2; check(a[0] == 2.5 && a[1] == 3); return 0;
}
