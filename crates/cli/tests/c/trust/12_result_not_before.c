// Nothing is known outside before the call-back is.
// expect: SAFE
extern void reach_error(void);
extern void reg(int *(*f)(void));
static int s, before;
static int *get(void) { return &s; }
int main(void) {
  s = 1;
  before = s;
  reg(get);
  if (before != 1) reach_error();
  return 0;
}
