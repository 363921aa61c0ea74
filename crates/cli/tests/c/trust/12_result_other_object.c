// What the call-back does not return stays the program's own.
// expect: SAFE
extern void reach_error(void);
extern void reg(int *(*f)(void));
extern int nd(void);
static int s, t;
static int *get(void) { return &s; }
int main(void) {
  reg(get);
  t = 1;
  nd();
  if (t != 1) reach_error();
  return 0;
}
