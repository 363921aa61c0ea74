// With `--externs pure` it writes nothing.
// expect: SAFE
// options: --externs pure
extern void reach_error(void);
struct ops { int (*get)(int *); };
extern struct ops *find(void);
int main(void) {
  int x = 1;
  struct ops *o = find();
  if (o && o->get) {
    o->get(&x);
    if (x != 1) reach_error();
  }
  return 0;
}
