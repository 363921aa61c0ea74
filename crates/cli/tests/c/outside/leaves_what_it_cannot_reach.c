// It leaves what it cannot reach.
// expect: SAFE
extern void reach_error(void);
struct ops { int (*get)(int *); };
extern struct ops *find(void);
static int hidden = 1;
int main(void) {
  int x = 1, y = 1;
  struct ops *o = find();
  if (o && o->get) {
    o->get(&x);
    if (y != 1 || hidden != 1) reach_error();
  }
  return 0;
}
