// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int g;
static void one(void) { g = 1; }
struct handler {
  void (*run)(void);
  int key;
};
int main(void) {
  struct handler all[2] = {{one, 1}, {one, 2}};
  unsigned i = nd() & 1;
  g = 0;
  nd();
  if (g) reach_error();
  all[i].run();
  if (g != 1) reach_error();
  return 0;
}
