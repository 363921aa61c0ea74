// A function of POSIX has this name, but takes nothing.
// expect: UNSAFE
extern void reach_error(void);
extern int random(int *p);
int main(void) {
  int x = 0;
  random(&x);
  if (x == 5) reach_error();
  return 0;
}
