// The call-back is never given away, so neither is what it returns.
// expect: SAFE
extern void reach_error(void);
extern int nd(void);
static int s;
static int *get(void) { return &s; }
int main(void) {
  int *(*f)(void) = nd() ? get : 0;
  s = 1;
  nd();
  if (s != 1) reach_error();
  return f != 0;
}
