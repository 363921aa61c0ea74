// The arguments can be pointers to what the outside knows.
// options: -m32
// expect: UNSAFE
extern void reach_error(void);
extern void walk(int *a, void (*f)(int *));
static void clear(int *p) { if (p) *p = 9; }
int main(void) {
  int a[2] = {1, 2};
  walk(a, clear);
  if (a[1] == 9) reach_error();
  return 0;
}
