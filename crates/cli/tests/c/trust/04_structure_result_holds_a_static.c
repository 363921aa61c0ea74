// A getter that returns a structure with a pointer in it.
// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
struct view { int n; int *data; };
static int s;
struct view look(void) {
  struct view v = {1, &s};
  return v;
}
int main(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return look().n - 1;
}
