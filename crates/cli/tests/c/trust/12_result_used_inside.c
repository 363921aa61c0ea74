// What the first call returned is changed before the second.
// expect: UNSAFE
// unknown: abstraction (the analysis of pointers knows no order: the path without the call-back looks feasible, and cannot be replayed)
extern void reach_error(void);
struct state { int n; };
extern void reg(struct state *(*f)(void));
static struct state the;
static struct state *get(void) {
  if (the.n == 8) reach_error();
  return &the;
}
int main(void) {
  reg(get);
  return 0;
}
