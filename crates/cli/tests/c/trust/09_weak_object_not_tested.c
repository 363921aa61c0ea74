// options: --check null
// expect: UNSAFE
extern int config __attribute__((weak));
int main(void) {
  return config;
}
