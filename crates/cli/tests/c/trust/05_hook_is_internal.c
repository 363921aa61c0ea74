// options: --entry f
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static void (*hook)(void);
static int n;
static void on(void) { n = 5; }
void init(void) { hook = on; }
int f(void) {
  n = 1;
  nd();
  if (n == 5) reach_error();
  return hook != 0;
}
