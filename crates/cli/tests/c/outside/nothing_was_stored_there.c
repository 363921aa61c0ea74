// What is called was read through null: a proof that does not build on the end of such executions covers any function.
// expect: SAFE
extern void reach_error(void);
extern int nd(void);
struct timer { void (*function)(unsigned long); };
static struct timer *pending;
static int state;
static void choose(struct timer *t) { t->function(1); }
int main(void) {
  state = 1;
  if (nd()) choose(pending);
  if (state != 1) reach_error();
  return 0;
}
