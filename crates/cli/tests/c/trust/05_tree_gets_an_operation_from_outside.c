// expect: UNSAFE
// options: --entry f --params tree --externs any
// What is stored in an object that others know can be called by them.
extern void reach_error(void);
extern void nd(void);

struct inner { void (*op)(void); };
struct outer { struct inner *inner; };
static int g;

static void set(void)
{
    g = 5;
}

int f(struct outer *p)
{
    if (!p->inner)
        return 0;
    g = 0;
    p->inner->op = set;
    nd();
    if (g == 5)
        reach_error();
    return 0;
}
