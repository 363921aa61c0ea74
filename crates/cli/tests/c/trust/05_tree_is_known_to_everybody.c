// expect: UNSAFE
// options: --entry f --params tree --externs any
// Who called the entry keeps what it was given.
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
