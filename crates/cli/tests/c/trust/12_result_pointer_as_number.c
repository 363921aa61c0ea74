// An address in a number is one.
// expect: UNSAFE
// unknown: abstraction (the analysis of pointers knows no order: the path without the call-back looks feasible, and cannot be replayed)
extern void reach_error(void);
extern void reg(unsigned long (*f)(void));
static int s;
static unsigned long get(void) { return (unsigned long)&s; }
int main(void) {
  reg(get);
  if (s == 5) reach_error();
  return 0;
}
