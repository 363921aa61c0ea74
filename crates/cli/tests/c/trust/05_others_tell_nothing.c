// options: --entry f
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int s, t;
int get(void) { return t; }
void bump(void) { s++; }
int f(void) {
  s = 1;
  nd();
  if (s != 1) reach_error();
  return 0;
}
