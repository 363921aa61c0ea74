// options: --entry first --check null --params nonnull
// expect: SAFE
struct s { int a, b; };
int first(struct s *s) { return s->b; }
