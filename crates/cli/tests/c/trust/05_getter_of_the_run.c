// The run itself calls the getter.
// options: --entry f
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int s;
int *get(void) { return &s; }
int f(void) {
  int *p = get();
  *p = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
