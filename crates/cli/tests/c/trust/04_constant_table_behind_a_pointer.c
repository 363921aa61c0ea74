// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
struct ops { void (*h)(void); };
static int s;
static void touch(void) { s = 1; }
static const struct ops ops = {touch};
const struct ops *const driver = &ops;
int main(void) {
  nd();
  if (s) reach_error();
  return 0;
}
