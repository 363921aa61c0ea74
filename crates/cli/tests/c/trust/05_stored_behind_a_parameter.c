// options: --entry f
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
struct view { int n; int *data; };
static int s;
void look(struct view *v) {
  struct view w = {1, &s};
  *v = w;
}
int f(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
