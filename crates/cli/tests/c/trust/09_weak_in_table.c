// expect: UNSAFE
extern void reach_error(void);
extern void hook(void) __attribute__((weak));
static void (*const table[2])(void) = {0, hook};
int main(void) {
  if (!table[1]) reach_error();
  return 0;
}
