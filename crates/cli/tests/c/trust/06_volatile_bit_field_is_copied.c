// expect: SAFE
// options: --volatile nondet
extern int nd(void);
extern void reach_error(void);
struct B { volatile unsigned a : 3; unsigned k : 5; } r;
int main(void) {
  r.k = 9;
  struct B t = r;
  if (t.k != 9) reach_error();
  if (t.a > 7) reach_error();
  return 0;
}
