// expect: SAFE
// unknown: abstraction, which has no predicates about the bytes of a text
// options: --target x86_64-w64-mingw32
// Wide characters have two bytes there: a character beyond takes two of them.
extern void reach_error(void);
unsigned short w[4] = L"ab";
int main(void) {
  if (sizeof(L"ab") != 6 || w[1] != 'b' || w[2] != 0) reach_error();
  if (L"\U0001F600"[0] != 0xd83d || L"\U0001F600"[1] != 0xde00 || L'\xffff' != 0xffff) reach_error();
  return 0;
}
