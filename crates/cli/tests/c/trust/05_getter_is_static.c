// Nobody outside can call this getter.
// options: --entry f
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static struct { int n; } state;
static void *handle(void) { return &state; }
int f(void) {
  state.n = 1;
  nd();
  if (state.n == 5) reach_error();
  return handle() == 0;
}
