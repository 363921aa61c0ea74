// expect: SAFE
// options: --entry f --params tree --externs args
// The narrower mode says that only what is passed on is known, and the answer lists it.
extern void reach_error(void);
extern void nd(void);

struct inner { int x; };
struct outer { struct inner *inner; };

int f(struct outer *p)
{
    if (!p->inner)
        return 0;
    p->inner->x = 1;
    nd();
    if (p->inner->x == 5)
        reach_error();
    return 0;
}
