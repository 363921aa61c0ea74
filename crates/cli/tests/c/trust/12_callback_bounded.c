// What the call-back checks holds, whatever it is called with.
// expect: SAFE
extern void reach_error(void);
extern void visit(void (*f)(int));
static int top;
static void note(int x) { if (x > top && x < 100) top = x; }
int main(void) {
  visit(note);
  if (top < 0 || top >= 100) reach_error();
  return 0;
}
