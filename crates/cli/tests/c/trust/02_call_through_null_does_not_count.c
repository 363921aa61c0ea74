// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int f(void) { return 1; }
int main(void) {
  int (*p)(void) = nd() ? f : 0;
  if (p() != 1) reach_error();
  return 0;
}
