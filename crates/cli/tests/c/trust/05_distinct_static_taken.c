// options: --entry f --params distinct
// expect: UNSAFE
extern void reach_error(void);
struct s { int a; int *q; };
static int hidden;
int *reg(void) { return &hidden; }
int f(struct s *s) {
  hidden = 1;
  if (s->q) *s->q = 4;
  if (hidden == 4) reach_error();
  return 0;
}
