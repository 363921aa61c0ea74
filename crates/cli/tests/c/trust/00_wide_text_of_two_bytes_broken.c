// expect: UNSAFE
// options: --target x86_64-w64-mingw32
// Wide characters have two bytes there, in texts too.
extern void reach_error(void);
int main(void) {
  const unsigned short *w = L"ab";
  if (w[1] == 'b') reach_error();
  return 0;
}
