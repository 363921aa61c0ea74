// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int s;
static void touch(void) { s = 1; }
struct { int id; void (*h)(void); } driver = {3, touch};
int main(void) {
  nd();
  if (s) reach_error();
  return 0;
}
