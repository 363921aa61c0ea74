// C11 6.2.4p8: the array lives as long as the expression that the call is part of.
// options: --check free
// expect: UNKNOWN
// reason: pointer into a value that is not kept
struct pair { int a[2]; };
static struct pair make(void) {
  struct pair p = {{1, 2}};
  return p;
}
int main(void) {
  int *p = make().a;
  return p[0];
}
