// By default it does not change globals that it was not given.
// expect: SAFE
extern void reach_error(void);
extern void (*op)(void);
int shared = 1;
int main(void) {
  shared = 1;
  if (op) op();
  if (shared != 1) reach_error();
  return 0;
}
