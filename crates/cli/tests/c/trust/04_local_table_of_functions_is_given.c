// expect: UNSAFE
extern int nd(void);
extern void take(void (**table)(void));
extern void reach_error(void);
static int g;
static void one(void) { g = 1; }
static void two(void) { g = 2; }
int main(void) {
  void (*table[2])(void) = {one, two};
  unsigned i = nd() & 1;
  take(table);
  if (g == 2) reach_error();
  table[i]();
  return 0;
}
