// An address among further arguments.
// options: --entry f
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
extern void trace(const char *, ...);
static int s;
void debug(void) { trace("%p", &s); }
int f(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
