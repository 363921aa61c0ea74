// expect: UNSAFE
extern void reach_error(void);
struct empty {};
int main(void) {
  struct empty a, b;
  if (&a == &b) reach_error();
  return 0;
}
