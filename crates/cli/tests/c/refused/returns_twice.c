// expect: UNKNOWN
// reason: function that returns twice
extern int nd(void);
extern void reach_error(void);
int chk(void) __attribute__((returns_twice));
static volatile int x;
int main(void) {
  chk();
  if (x == 1) reach_error();
  x = 1;
  nd();
  return 0;
}
