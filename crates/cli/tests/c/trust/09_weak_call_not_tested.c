// options: --check null
// expect: UNSAFE
extern void hook(int) __attribute__((weak));
int main(void) {
  hook(1);
  return 0;
}
