// options: -m32
// expect: UNSAFE
extern void reach_error(void);
extern int config __attribute__((weak));
int main(void) {
  if (&config == 0) reach_error();
  return 0;
}
