// expect: UNSAFE
// options: --volatile nondet
extern int nd(void);
extern void reach_error(void);
volatile struct { unsigned a : 3; signed s : 3; } r;
int main(void) {
  if (r.a == 7 && r.s == -4) reach_error();
  return 0;
}
