// Operations in a structure that the entry is given.
// expect: UNSAFE
// options: --entry probe --params distinct
extern void reach_error(void);
struct bus;
struct ops { int (*read)(struct bus *, int); void (*write)(struct bus *, int, int); };
struct bus { const struct ops *ops; int errors; };
int probe(struct bus *b) {
  b->errors = 0;
  if (b->ops->read(b, 4) < 0) b->errors++;
  if (b->errors > 1) reach_error();
  return 0;
}
