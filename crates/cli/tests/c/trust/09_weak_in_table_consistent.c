// expect: SAFE
extern void reach_error(void);
extern void hook(void) __attribute__((weak));
static void (*table[2])(void) = {0, hook};
int main(void) {
  if (table[0]) reach_error();
  if (table[1] && !hook) reach_error();
  return 0;
}
