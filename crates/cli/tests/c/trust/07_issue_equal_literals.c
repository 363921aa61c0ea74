// expect: UNSAFE
extern void reach_error(void);
int main(void) {
  if ("abc" == "abc") reach_error();
  return 0;
}
