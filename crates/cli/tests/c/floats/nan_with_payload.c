// expect: UNSAFE
// The text that `nan` gets names the payload.
extern void reach_error(void);
union {
  float f;
  unsigned u;
} seen = {__builtin_nanf("0x15")};

int main(void) {
  if (seen.u == 0x7fc00015u)
    reach_error();
  return 0;
}
