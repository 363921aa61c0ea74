// options: --entry add --params valid --check null,bounds
// expect: SAFE
struct pair { long a; short b; };
long add(struct pair *p, short *q) {
    p->b = *q;
    return p->a + p->b;
}
