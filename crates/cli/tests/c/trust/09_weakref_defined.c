// expect: SAFE
extern void reach_error(void);
int real_probe(void) { return 3; }
static int probe(void) __attribute__((weakref("real_probe")));
int main(void) {
  if (!probe) reach_error();
  if (probe() != 3) reach_error();
  return 0;
}
