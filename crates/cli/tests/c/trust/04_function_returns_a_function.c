// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int s;
static void touch(void) { s = 1; }
void (*handler(void))(void) { return touch; }
int main(void) {
  nd();
  if (s) reach_error();
  return 0;
}
