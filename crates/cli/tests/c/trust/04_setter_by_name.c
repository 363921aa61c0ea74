// options: --externs any --callbacks named
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int s;
void set(int v) { s = v; }
int main(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
