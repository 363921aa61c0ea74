// expect: UNSAFE
// without: abstraction, which looks at one comparison after the other
// The refill is added, so the level goes above one.
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
int main(void) {
  float level = 1.0f;
  while (__VERIFIER_nondet_int()) {
    float refill = __VERIFIER_nondet_float();
    level = level * 0.75f;
    if (refill >= 0.0f && refill <= 1.0f) level += refill;
    int percent = (int)(level * 100.0f);
    if (percent < 0 || percent > 100) reach_error();
  }
  return 0;
}
