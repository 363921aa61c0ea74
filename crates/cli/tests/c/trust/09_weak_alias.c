// expect: SAFE
extern void reach_error(void);
static int plain(void) { return 1; }
int hook(void) __attribute__((weak, alias("plain")));
int main(void) {
  if (!hook) reach_error();
  return 0;
}
