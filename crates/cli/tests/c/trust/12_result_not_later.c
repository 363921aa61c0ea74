// The same, but that the outside keeps no functions.
// expect: SAFE
extern void reach_error(void);
extern void reg(int *(*f)(void));
extern int nd(void);
static int s, armed;
static int *get(void) { return armed ? &s : 0; }
int main(void) {
  int *p = 0;
  reg(get);
  armed = 1;
  if (armed != 1 || p) reach_error();
  return 0;
}
