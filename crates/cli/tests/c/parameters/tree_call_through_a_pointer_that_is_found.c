// expect: UNKNOWN
// options: --entry f --params tree
// reason: a path has a model but its replay fails
// The operation that the structure holds is not known, and not null for that.
extern void reach_error(void);
struct device { int (*operation)(int); };
int f(struct device *d) {
  if (d->operation) {
    d->operation(1);
    reach_error();
  }
  return 0;
}
