// Only the parameter's own object is apart.
// options: --entry f --params distinct
// expect: UNSAFE
extern void reach_error(void);
struct s { int a; int *q; };
int pub;
int f(struct s *s) {
  pub = 1;
  if (s->q) *s->q = 4;
  if (pub == 4) reach_error();
  return 0;
}
