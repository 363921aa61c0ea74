// options: --callbacks later
// expect: UNSAFE
// unknown: abstraction (the analysis of pointers knows no order: the path without the call-back looks feasible, and cannot be replayed)
extern void reach_error(void);
extern void reg(int *(*f)(void));
extern int nd(void);
static int s, armed;
static int *get(void) { return armed ? &s : 0; }
int main(void) {
  reg(get);
  armed = 1;
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
