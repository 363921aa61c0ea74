// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int *current;
static void keep(int *p) { current = p; }
int *get(void) { return current; }
int main(void) {
  int x = 1;
  keep(&x);
  nd();
  if (x == 5) reach_error();
  return 0;
}
