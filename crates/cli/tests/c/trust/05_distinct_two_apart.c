// options: --entry f --params distinct
// expect: SAFE
extern void reach_error(void);
struct s { int a; int *q; };
int f(struct s *s, struct s *t) {
  s->a = 1;
  t->a = 2;
  if (s->a != 1) reach_error();
  return 0;
}
