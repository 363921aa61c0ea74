// expect: UNSAFE
extern void reach_error(void);
extern int hook(int) __attribute__((weak));
int main(void) {
  if (hook && hook(3) == 4) reach_error();
  return 0;
}
