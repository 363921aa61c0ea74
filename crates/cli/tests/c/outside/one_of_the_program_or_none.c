// What the function of the program does is known, and others leave the static alone.
// expect: SAFE
extern void reach_error(void);
extern void (*hook)(int);
extern void run(void);
static int state;
static void mine(int x) { state = 1; }
int main(void) {
  hook = mine;
  run();
  if (hook) hook(5);
  if (state != 0 && state != 1) reach_error();
  return 0;
}
