// Without `__builtin_` in front the name is free: this function may return.
// expect: UNSAFE
extern void reach_error(void);
extern void trap(void);
int main(void) {
  trap();
  reach_error();
  return 0;
}
