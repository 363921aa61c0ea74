// expect: UNSAFE
// options: --engine concrete
// without: abstraction, the engine is the point
// A protocol that must go through its states in order, over objects that come from outside; it may stop for good on the way.
struct device { int state; struct device *next; unsigned flags; };
extern int nd(void);
extern struct device *outside(void);
extern void reach_error(void);
static int step;
static void stop(void) { for (;;) ; }
static void handle(struct device *d, int request) {
    switch (request) {
    case 0x1101: if (step == 0) step = 1; break;
    case 0x1102: if (step == 1 && d->flags == 0x80) step = 2; break;
    case 0x1103: if (step == 2) step = d->next ? 3 : 0; break;
    case 0x1104: if (step == 3 && d->next->state == 12292) step = 4; break;
    case 0x1105: if (step == 4) reach_error(); break;
    default: if (request < 0) stop();
    }
}
int main(void) {
    struct device *d = outside();
    if (!d) return 0;
    while (nd()) handle(d, nd());
    return 0;
}
