// What nobody gave away stays.
// expect: SAFE
// options: --entry second
extern void reach_error(void);
extern void (*keep)(int *);
static int state, other;
void first(void) { if (keep) keep(&other); }
void outside(void);
int second(void) {
  state = 1;
  outside();
  if (state == 2) reach_error();
  return 0;
}
