// options: --entry f
// expect: UNSAFE
extern void reach_error(void);
struct row { int cells[2]; };
static struct row t[3];
static int *cell(int i) { return &t[i].cells[1]; }
void f(int *p) {
  t[1].cells[0] = 1;
  if (p) *p = 5;
  if (t[1].cells[0] == 5) reach_error();
}
void g(void) { f(cell(2)); }
