// options: --check overflow
// expect: UNSAFE
extern int nd(void);
int main(void) {
  int a = nd(), b = -1;
  return a % b;
}
