// expect: UNSAFE
extern void reach_error(void);
void hook(void) __attribute__((weak));
int main(void) {
  if (!hook) reach_error();
  return 0;
}
