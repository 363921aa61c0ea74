// It is there or not, all the time.
// expect: SAFE
extern void reach_error(void);
extern void other(void);
extern void hook(void) __attribute__((weak));
int main(void) {
  void (*f)(void) = hook;
  other();
  if (f && !hook) reach_error();
  if (!f && hook != 0) reach_error();
  return 0;
}
