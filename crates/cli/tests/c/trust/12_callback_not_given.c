// A table that never gets outside is nobody else's to call.
// expect: SAFE
extern void reach_error(void);
struct ops { int id; void (*done)(void); };
extern void submit(int *x);
static int finished;
static void done(void) { finished = 1; }
static struct ops table = {3, done};
int main(void) {
  int x = 4;
  submit(&x);
  if (finished) reach_error();
  if (x == 5) table.done();
  return 0;
}
