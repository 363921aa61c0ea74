// A weak function with a definition is there.
// expect: SAFE
extern void reach_error(void);
__attribute__((weak)) int hook(void) { return 5; }
int main(void) {
  if (!hook) reach_error();
  if (hook() != 5) reach_error();
  return 0;
}
