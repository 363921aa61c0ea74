// options: --entry f --externs pure
// expect: UNSAFE
extern int *lookup(void);
extern void reach_error(void);
static int s;
int *get(void) { return &s; }
int f(void) {
  int *p = lookup();
  s = 1;
  if (p) *p = 2;
  if (s == 2) reach_error();
  return 0;
}
