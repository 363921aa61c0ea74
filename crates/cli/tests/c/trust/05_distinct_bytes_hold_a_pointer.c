// A buffer of bytes that is looked at as a structure.
// options: --entry f --params distinct
// expect: UNSAFE
extern void reach_error(void);
struct s { long a; int *q; };
int pub;
int f(char *buffer) {
  struct s *s = (struct s *)buffer;
  pub = 1;
  if (s->q) *s->q = 4;
  if (pub == 4) reach_error();
  return 0;
}
