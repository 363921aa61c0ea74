// A function that the run does not reach told the outside an address.
// options: --entry f
// expect: UNSAFE
extern int nd(void);
extern void tell(int *p);
extern void reach_error(void);
static int s;
static void deep(int *p) { tell(p); }
void init(void) { deep(&s); }
int f(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
