// expect: UNSAFE
// options: --engine abstraction --block large --no-invgen
/* A callee changes globals on one of its ways. */
extern int nd(void);
extern void reach_error(void);
static int s, t;
static void step(int c) { if (c) { s = 1; t = 0; } }
int main(void) {
  s = 0; t = 0;
  while (nd()) {
    step(nd());
    if (nd()) { s = 0; t = 0; }
  }
  if (s != t) reach_error();
  return 0;
}
