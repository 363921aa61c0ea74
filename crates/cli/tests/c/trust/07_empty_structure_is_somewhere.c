// expect: SAFE
extern void reach_error(void);
struct empty {};
int main(void) {
  struct empty a, *p = &a;
  if (!p || p != &a) reach_error();
  return 0;
}
