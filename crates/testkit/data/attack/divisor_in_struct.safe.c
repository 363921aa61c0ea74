// expect: SAFE
// data-model: any
// check: div
extern int nd(void);
struct ratio { int over; int under; };
static int value(struct ratio *r) { return r->over / r->under; }
int main(void) {
    struct ratio r;
    r.over = nd();
    r.under = nd();
    if (r.under <= 0) r.under = 1;
    value(&r);
    return 0;
}
