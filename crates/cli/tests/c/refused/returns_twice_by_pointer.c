// expect: UNKNOWN
// reason: function that returns twice
extern int nd(void);
extern void reach_error(void);
__attribute__((__returns_twice__)) int chk(void);
static volatile int x;
int main(void) {
  int (*f)(void) = chk;
  f();
  if (x == 1) reach_error();
  x = 1;
  nd();
  return 0;
}
