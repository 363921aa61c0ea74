// options: --externs any --callbacks named
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int s;
static void set(int v) { s = v; }
int main(void) {
  set(1);
  nd();
  if (s != 1) reach_error();
  return 0;
}
