// expect: SAFE
extern void reach_error(void);
static const char *name(void) { return "abc"; }
int main(void) {
  const char *other = "abc";
  if (name() != name()) reach_error();
  if (other[1] != 'b' || name()[2] != 'c') reach_error();
  return 0;
}
