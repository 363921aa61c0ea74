// `div` of the library gives a structure.
// expect: UNSAFE
extern void reach_error(void);
extern int div(int *p);
int main(void) {
  int x = 0;
  div(&x);
  if (x == 5) reach_error();
  return 0;
}
