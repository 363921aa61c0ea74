// The pointer may lead back to a function that the program has given away.
// expect: UNSAFE
extern void reach_error(void);
extern void (*hook)(int);
extern void run(void);
static int state;
static void mine(int x) { state = x; }
int main(void) {
  hook = mine;
  run();
  if (hook) hook(5);
  if (state == 5) reach_error();
  return 0;
}
