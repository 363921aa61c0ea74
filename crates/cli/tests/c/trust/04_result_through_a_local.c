// A getter that goes by a pointer to a local.
// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int s;
int *look(void) {
  int *q = 0, **pp = &q;
  *pp = &s;
  return q;
}
int main(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return look() == 0;
}
