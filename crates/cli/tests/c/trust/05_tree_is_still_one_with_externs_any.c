// expect: SAFE
// options: --entry f --params tree --externs any
// That others know the objects makes no two of them one.
extern void reach_error(void);

struct inner { int x; };
struct outer { struct inner *a, *b; };

int f(struct outer *p)
{
    if (!p->a || !p->b)
        return 0;
    p->a->x = 1;
    p->b->x = 5;
    if (p->a->x == 5)
        reach_error();
    return 0;
}
