// Undefined functions know nothing of a table that stays at home.
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int g;
static void one(void) { g = 1; }
static void two(void) { g = 2; }
int main(void) {
  void (*table[2])(void) = {one, two};
  unsigned i = nd() & 1;
  g = 0;
  nd();
  if (g) reach_error();
  table[i]();
  return 0;
}
