// expect: SAFE
// without: abstraction, which looks at one way of a jump after the other
// Handlers in a list, each with its context beside other members: the inner one is left for the outer one.
#include <setjmp.h>
extern void reach_error(void);
struct handler { jmp_buf context; struct handler *outer; } *top;
static int log_;
static void throw(int v) {
  struct handler *h = top;
  top = h->outer;
  longjmp(h->context, v);
}
static void inner(void) {
  struct handler h;
  h.outer = top;
  top = &h;
  int r = setjmp(h.context);
  if (r == 0) throw(1);
  log_ = log_ * 10 + r;
  throw(2);
}
int main(void) {
  struct handler h;
  h.outer = 0;
  top = &h;
  int r = setjmp(h.context);
  if (r == 0) inner();
  log_ = log_ * 10 + r;
  if (log_ != 12) reach_error();
  return 0;
}
