// A structure that a call-back returns may hold a pointer.
// expect: UNSAFE
// unknown: all (call-backs that take or return structures are not followed)
extern void reach_error(void);
struct view { int n; int *data; };
extern void reg(struct view (*f)(void));
static int s;
static struct view look(void) {
  struct view v = {1, &s};
  return v;
}
int main(void) {
  reg(look);
  if (s == 5) reach_error();
  return 0;
}
