// A function that comes from outside gives any value.
// expect: UNSAFE
extern void reach_error(void);
extern int (*op)(int);
int main(void) {
  if (op && op(1) == 7) reach_error();
  return 0;
}
