// expect: UNKNOWN
// reason: a path has a model but its replay fails
// What 0/0 gives has any sign and payload: gcc on x86 makes it negative, a run that is shown here positive.
extern void reach_error(void);
float zero;
union {
  float f;
  unsigned u;
} seen;

int main(void) {
  seen.f = zero / zero;
  if (seen.u == 0xffc00000u)
    reach_error();
  return 0;
}
