// A number is no way to anything.
// expect: SAFE
extern void reach_error(void);
extern void reg(int (*f)(void));
extern int nd(void);
static int s;
static int get(void) { return s; }
int main(void) {
  s = 1;
  reg(get);
  nd();
  if (s != 1) reach_error();
  return 0;
}
