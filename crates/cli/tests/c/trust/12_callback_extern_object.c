// expect: UNSAFE
extern void reach_error(void);
extern void (*handler)(int);
extern void run(void);
static int state;
static void on(int x) { if (x == 7) state = 1; }
int main(void) {
  handler = on;
  run();
  if (state) reach_error();
  return 0;
}
