// expect: SAFE
// options: --volatile nondet
extern int nd(void);
extern void reach_error(void);
volatile struct { unsigned rdy : 1; unsigned k : 3; signed s : 3; _Bool b : 1; } r;
int main(void) {
  unsigned k = r.k;
  int s = r.s;
  if (k > 7 || r.rdy > 1 || r.b > 1) reach_error();
  if (s < -4 || s > 3) reach_error();
  return 0;
}
