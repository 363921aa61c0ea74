// expect: UNSAFE
// options: --interrupt handler
// The value of a statement expression is a statement of its own.
extern void reach_error(void);
static int x;
void handler(void) { x = 1; }
int main(void) {
  int a = ({ x = 0; x; });
  if (a) reach_error();
  return 0;
}
