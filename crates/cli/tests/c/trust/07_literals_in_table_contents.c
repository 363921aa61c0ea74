// Wherever they lie, their characters are what they are.
// expect: SAFE
extern void reach_error(void);
static const char *names[] = {"read", "write", "read"};
int main(void) {
  const char *p = "x", *q = "y";
  if (p == q) reach_error();
  if (names[2][0] != 'r' || names[1][4] != 'e') reach_error();
  return 0;
}
