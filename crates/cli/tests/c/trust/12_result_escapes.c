// Whoever calls back has what the call-back returns.
// expect: UNSAFE
// unknown: abstraction (the analysis of pointers knows no order: the path without the call-back looks feasible, and cannot be replayed)
extern void reach_error(void);
extern void reg(int *(*f)(void));
extern int nd(void);
static int s;
static int *get(void) { return &s; }
int main(void) {
  reg(get);
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
