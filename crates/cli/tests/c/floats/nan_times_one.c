// expect: UNKNOWN
// reason: a path has a model but its replay fails
// A product with one is its other factor, but for the pattern of what is not a number.
extern void reach_error(void);
extern float input(void);
union {
  float f;
  unsigned u;
} seen;

int main(void) {
  float a = input();
  seen.f = a * 1.0f;
  if (a != a && seen.u != 0x7fc00000u)
    reach_error();
  return 0;
}
