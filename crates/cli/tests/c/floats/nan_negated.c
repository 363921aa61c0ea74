// expect: UNKNOWN
// reason: a path has a model but its replay fails
// The only run that is shown has a positive NaN and negates it; on x86 it is the other way round.
extern void reach_error(void);
float zero;
union {
  float f;
  unsigned u;
} seen;

int main(void) {
  seen.f = -(zero / zero);
  if (!(seen.u >> 31))
    reach_error();
  return 0;
}
