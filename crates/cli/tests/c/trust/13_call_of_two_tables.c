// expect: SAFE
/* Functions of one type in two tables: each device calls those of its own. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct device;
struct operations { int (*open)(struct device *); int (*close)(struct device *); };
struct device { const struct operations *ops; int open; };
static int good_open(struct device *d) { d->open = 1; return 0; }
static int good_close(struct device *d) { d->open = 0; return 0; }
static int bad_open(struct device *d) { d->open = 2; return 0; }
static int bad_close(struct device *d) { reach_error(); return d->open; }
static const struct operations good = { good_open, good_close };
static const struct operations bad = { bad_open, bad_close };
static int start(struct device *d) { return d->ops->open(d); }
int main(void) {
    struct device first = { &good, 0 }, second = { &bad, 0 };
    start(&first);
    second.ops->open(&second);
    if (__VERIFIER_nondet_int() && first.open == 1)
        first.ops->close(&first);
    return 0;
}
