// options: --entry f --params distinct
// expect: SAFE
extern void reach_error(void);
struct s { int a; int *q; };
int pub;
int f(struct s *s) {
  pub = 1;
  s->a = 4;
  if (pub != 1) reach_error();
  return 0;
}
