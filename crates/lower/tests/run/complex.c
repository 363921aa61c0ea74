// Complex numbers: literals, parts, operators, conversions, parameters, results, static initialisers.
void reach_error(void);
static void check(int c) { if (!c) reach_error(); }
typedef _Complex double cd;
typedef __complex__ float cf;
typedef _Complex int ci;
cd global = 1.5 + 2.5i;
static ci table[2] = { 1 + 2i, -3i };
struct pair { char tag; cd value; cf other; } shared = { 'x', 2.0i, 3 };
cd twice(cd z) { return z + z; }
cf mix(int n, cf z, double d) { return n * z + d; }
int count;
cd *next(void) { static cd box[3]; return &box[count++]; }
cd sum(int n, ...) {
  __builtin_va_list ap; cd s = 0;
  __builtin_va_start(ap, n);
  while (n-- > 0) s += __builtin_va_arg(ap, cd);
  __builtin_va_end(ap);
  return s;
}
int main(void) {
  cd z = 3.0 + 4.0i, w;
  check(__real__ z == 3.0 && __imag__ z == 4.0);
  __real__ z = 5; __imag__ z += 1;
  check(z == 5.0 + 5.0i && z != 5.0 && !(z == 5.0i));
  check(__real__ global == 1.5 && __imag__ global == 2.5);
  check(__imag__ table[0] == 2 && __real__ table[1] == 0 && __imag__ table[1] == -3);
  check(shared.value == 2.0i && __real__ shared.other == 3 && __imag__ shared.other == 0);
  w = z * global; check(__real__ w == -5.0 && __imag__ w == 20.0);
  w = w / global; check(w == z);
  w = z / 2; check(w == 2.5 + 2.5i);
  w = 10 / (1.0 + 2.0i); check(w == 2.0 - 4.0i);
  w = ~z; check(w == 5.0 - 5.0i);
  w = -z; check(__real__ w == -5.0);
  w = z - 1; check(w == 4.0 + 5.0i);
  w = 1 - z; check(w == -4.0 - 5.0i);
  w = twice(z) + twice(1); check(w == 12.0 + 10.0i);
  check(__real__ twice(z) == 10.0);
  cf f = mix(2, 1.0f + 0.5fi, 3); check(f == 5.0f + 1.0fi);
  ci n = 7 + 3i, m = 2 - 1i; ci q = n / m; check(__real__ q == 3 && __imag__ q == 1);
  n *= m; check(n == 17 - 1i);
  check((int)z == 5 && (_Bool)2.0i && !(_Bool)(cd)0);
  if (z) n = 1; else reach_error();
  check(!(cf)0 && (z && 1));
  *next() += 1.0 + 1.0i; check(count == 1);
  (*next())++; check(count == 2);
  w = z++; check(w == 5.0 + 5.0i && z == 6.0 + 5.0i);
  --z; check(z == w);
  w = count > 1 ? z : 1; check(w == z);
  w = count > 5 ? z : 1; check(w == 1);
  check(sum(3, z, w, (cd)2.0i) == 6.0 + 7.0i);
  double *re = &__real__ z; *re = 9; check(z == 9.0 + 5.0i);
  ((double *)&z)[1] = -1; check(__imag__ z == -1);
  _Complex long double l = z; l += 1; check(l == 10.0L - 1.0iL && sizeof l == 2 * sizeof(long double));
  _Complex char c = 100 + 100i; c = c + c; check(__real__ c == -56);
  check(__builtin_complex(1.0, 2.0) == 1 + 2i && __builtin_creal(z) == 9 && __builtin_conjf(f) == 5 - 1i);
  struct pair copy = shared; copy.value = ({ z; }); check(copy.value == z && shared.value == 2i);
  float _Complex quotient = (1.0f + 2.0fi) / (3.0f - 1.0fi); check(quotient == 0.1f + 0.7fi);
  return 0;
}
