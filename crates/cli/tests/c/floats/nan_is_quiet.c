// expect: SAFE
// unknown: abstraction, which sees no difference between the bits of one word
// Whatever pattern a NaN has, it is that of no number.
extern void reach_error(void);
float zero;
union {
  float f;
  unsigned u;
} seen;

int main(void) {
  seen.f = zero / zero;
  if ((seen.u & 0x7fc00000u) != 0x7fc00000u)
    reach_error();
  return 0;
}
