// Elements are accessed, but no pointer into the array is ever made.
// options: --entry f
// expect: SAFE
extern void reach_error(void);
static int t[3];
static int get(int i) { return t[i]; }
void f(int *p) {
  t[1] = 1;
  if (p) *p = 5;
  if (get(1) == 5) reach_error();
}
