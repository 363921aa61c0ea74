// options: --entry first --check null
// expect: UNSAFE
struct s { int a, b; };
int first(struct s *s) { return s->a; }
