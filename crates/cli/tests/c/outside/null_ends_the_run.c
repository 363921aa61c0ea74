// A call through null ends the run.
// expect: SAFE
extern void reach_error(void);
extern int (*op)(int);
int main(void) {
  int before = op != 0;
  op(1);
  if (!before) reach_error();
  return 0;
}
