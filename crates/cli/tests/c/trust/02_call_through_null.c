// options: --check null
// expect: UNSAFE
extern int nd(void);
static int f(void) { return 1; }
int main(void) {
  int (*p)(void) = nd() ? f : 0;
  return p();
}
