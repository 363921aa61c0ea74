// Before the entry others have run: the outside kept what a getter gave it.
// options: --entry f
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static struct { int n; } state;
void *handle(void) { return &state; }
int f(void) {
  state.n = 1;
  nd();
  if (state.n == 5) reach_error();
  return 0;
}
