// expect: UNSAFE
extern void reach_error(void);
struct ops { int id; void (*done)(void); };
extern void submit(struct ops *o);
static int finished;
static void done(void) { finished = 1; }
int main(void) {
  struct ops o = {3, done};
  submit(&o);
  if (finished) reach_error();
  return 0;
}
