// The outside does not look for globals.
// expect: SAFE
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
