// The standard's own example.
// expect: UNSAFE
extern void reach_error(void);
int main(void) {
  if ((const char[]){"abc"} == "abc") reach_error();
  return 0;
}
