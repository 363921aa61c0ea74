// options: --check null
// expect: SAFE
extern void hook(int) __attribute__((weak));
int main(void) {
  if (hook) hook(1);
  return 0;
}
