// expect: SAFE
// options: --engine abstraction --block large --no-invgen
/* What a parameter was when the call began, beyond a loop in the callee. */
extern int nd(void);
extern void reach_error(void);
static int g;
static int next(int v) { int w = v; while (w == v) w = nd(); g = w; return v; }
int main(void) {
  while (nd()) {
    int k = nd(), r = next(k);
    if (r != k) reach_error();
  }
  return 0;
}
