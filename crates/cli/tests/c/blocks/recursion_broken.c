// expect: UNSAFE
// options: --engine abstraction --block large --no-invgen
/* Recursion of any depth: what the function returns is known from predicates at its ends. */
extern int nd(void);
extern void reach_error(void);
static int f(int n) {
  if (n <= 0) return 0;
  int r = f(n - 1) + 1;
  if (r > 3) r = 3;
  return r;
}
int main(void) {
  int r = f(nd());
  if (r > 2) reach_error();
  return 0;
}
