// options: --check overflow
// expect: SAFE
extern int nd(void);
int main(void) {
  int a = nd(), b = nd();
  if (b == 0) return 0;
  return (long)a / b > 0;
}
