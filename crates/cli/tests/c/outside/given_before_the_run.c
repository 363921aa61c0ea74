// What it was given by an earlier entry it knows.
// expect: UNSAFE
// options: --entry second
extern void reach_error(void);
extern void (*keep)(int *);
static int state;
void first(void) { if (keep) keep(&state); }
void outside(void);
int second(void) {
  state = 1;
  outside();
  if (state == 2) reach_error();
  return 0;
}
