// options: --check null
// expect: SAFE
extern void reach_error(void);
extern int config __attribute__((weak));
int main(void) {
  int x = 1;
  if (&config) x = config;
  return x;
}
