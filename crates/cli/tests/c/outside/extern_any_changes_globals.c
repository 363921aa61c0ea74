// With `--externs any` it changes globals.
// expect: UNSAFE
// options: --externs any
extern void reach_error(void);
extern void (*op)(void);
int shared = 1;
int main(void) {
  shared = 1;
  if (op) op();
  if (shared != 1) reach_error();
  return 0;
}
