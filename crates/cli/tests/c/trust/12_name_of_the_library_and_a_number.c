// The name ends as those of `math.h` for another type do.
// expect: UNSAFE
extern void reach_error(void);
extern void exitf64(int x);
int main(void) {
  exitf64(1);
  reach_error();
  return 0;
}
