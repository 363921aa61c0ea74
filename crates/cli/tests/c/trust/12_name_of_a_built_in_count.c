// expect: UNSAFE
extern void reach_error(void);
extern int popcount(unsigned x);
int main(void) {
  if (popcount(7) != 3) reach_error();
  return 0;
}
