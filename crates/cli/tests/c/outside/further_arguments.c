// Further arguments are given away, too.
// expect: UNSAFE
extern void reach_error(void);
extern int (*log)(const char *, ...);
int main(void) {
  int x = 1;
  if (log) log("%n", &x);
  if (x == 4) reach_error();
  return 0;
}
