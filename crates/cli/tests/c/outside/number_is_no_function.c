// An address that the program makes of a number is no function of the outside.
// expect: UNKNOWN
// reason: a call through a pointer to a function that is not known
extern void reach_error(void);
int main(void) {
  int (*f)(void) = (int (*)(void))0x8000;
  if (f() == 7) reach_error();
  return 0;
}
