// What is tested of the result holds.
// expect: SAFE
extern void reach_error(void);
extern int (*op)(int);
int main(void) {
  int n = op ? op(1) : 0;
  if (n < 0 || n > 9) return 0;
  if (n * n > 81) reach_error();
  return 0;
}
