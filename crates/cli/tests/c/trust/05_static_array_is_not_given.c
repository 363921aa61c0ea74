// Others use the array, too, but give it to nobody.
// options: --entry f
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int a[4];
void other(unsigned i) { a[i % 4] = 7; }
int f(void) {
  a[1] = 1;
  nd();
  if (a[1] != 1) reach_error();
  return 0;
}
