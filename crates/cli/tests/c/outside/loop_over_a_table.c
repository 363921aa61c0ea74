// A loop over operations.
// expect: SAFE
// options: --entry run --params distinct
extern void reach_error(void);
struct op { void (*f)(int); };
int run(struct op *ops, unsigned n) {
  unsigned i, calls = 0;
  for (i = 0; i < n; i++) {
    if (ops[i].f) { ops[i].f(i); calls++; }
    if (calls > i + 1) reach_error();
  }
  return 0;
}
