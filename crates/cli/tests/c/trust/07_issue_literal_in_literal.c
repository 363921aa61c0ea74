// expect: UNSAFE
extern void reach_error(void);
int main(void) {
  const char *p = "abc", *q = "bc";
  if (p + 1 == q) reach_error();
  return 0;
}
