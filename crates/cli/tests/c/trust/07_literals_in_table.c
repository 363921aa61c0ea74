// options: -m32
// expect: UNSAFE
extern void reach_error(void);
static const char *names[] = {"read", "write", "read"};
int main(void) {
  if (names[0] == names[2]) reach_error();
  return 0;
}
