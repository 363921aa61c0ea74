// The outside finds the function in a table that the run never mentions.
// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int s;
static void set(int v) { s = v; }
void (*ops[])(int) = {set};
int main(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
