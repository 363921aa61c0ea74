// options: --entry f --externs pure
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int s;
int *get(void) { return &s; }
int f(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
