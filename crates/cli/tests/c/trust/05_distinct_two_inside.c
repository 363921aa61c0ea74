// Pointers inside of two objects may be equal.
// options: --entry f --params distinct
// expect: UNSAFE
extern void reach_error(void);
struct s { int a; int *q; };
int f(struct s *s, struct s *t) {
  if (!s->q || !t->q) return 0;
  *s->q = 1;
  *t->q = 2;
  if (*s->q == 2) reach_error();
  return 0;
}
