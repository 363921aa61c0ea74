// options: --entry f --callbacks later
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
extern void reg(void (*f)(void));
static int n;
static void on(void) { n = 5; }
void init(void) { reg(on); }
int f(void) {
  n = 1;
  nd();
  if (n == 5) reach_error();
  return 0;
}
