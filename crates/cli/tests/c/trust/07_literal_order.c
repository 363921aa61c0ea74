// A literal's last byte may be an empty one's only byte.
// expect: UNSAFE
extern void reach_error(void);
int main(void) {
  const char *p = "a", *q = "";
  if (q == p + 1) reach_error();
  return 0;
}
