// The least number by -1 is an overflow, whoever else it is one of.
// options: --check overflow
// expect: UNSAFE
extern int nd(void);
int main(void) {
  int a = nd(), b = nd();
  if (b == 0) return 0;
  return a / b;
}
