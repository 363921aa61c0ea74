// What the result points to holds a pointer to something else.
// expect: UNSAFE
// unknown: abstraction (the analysis of pointers knows no order: the path without the call-back looks feasible, and cannot be replayed)
extern void reach_error(void);
extern void reg(const struct box *(*f)(void));
struct box { int id; int *value; };
static int hidden;
static const struct box box = {1, &hidden};
static const struct box *get(void) { return &box; }
int main(void) {
  reg(get);
  if (hidden == 7) reach_error();
  return 0;
}
