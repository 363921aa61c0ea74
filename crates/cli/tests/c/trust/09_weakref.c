// expect: UNSAFE
extern void reach_error(void);
static int probe(void) __attribute__((weakref("real_probe")));
int main(void) {
  if (!probe) reach_error();
  return 0;
}
