// expect: SAFE
extern void reach_error(void);
int main(void) {
  const char *p = "abc", *q = "abd", *r = "bcd";
  if (p == q || p + 1 == r || q == r) reach_error();
  return 0;
}
