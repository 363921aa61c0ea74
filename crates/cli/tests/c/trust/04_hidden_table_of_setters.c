// Nobody outside can name a static table.
// options: --externs any
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int s;
static void set(int v) { s = v; }
static void (*const ops[])(int) = {set};
int main(void) {
  ops[0](1);
  nd();
  if (s != 1) reach_error();
  return 0;
}
