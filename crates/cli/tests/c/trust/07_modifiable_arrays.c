// expect: SAFE
extern void reach_error(void);
int main(void) {
  char a[] = "abc", b[] = "abc";
  static const char c[] = "abc";
  if (a == b || a == c) reach_error();
  a[0] = 'x';
  if (b[0] != 'a') reach_error();
  return 0;
}
