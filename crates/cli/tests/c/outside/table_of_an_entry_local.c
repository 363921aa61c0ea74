// The same with a counter that the function does not get.
// expect: SAFE
// options: --entry probe --params distinct
extern void reach_error(void);
struct bus;
struct ops { int (*read)(struct bus *, int); void (*write)(struct bus *, int, int); };
struct bus { const struct ops *ops; int errors; };
int probe(struct bus *b) {
  int errors = 0;
  if (b->ops->read(b, 4) < 0) errors++;
  b->ops->write(b, 0, errors);
  if (errors > 1) reach_error();
  return 0;
}
