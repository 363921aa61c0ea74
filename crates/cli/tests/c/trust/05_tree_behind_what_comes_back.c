// expect: UNSAFE
// options: --entry f --params tree --externs pure
// Behind what comes back there may be something, too.
extern void reach_error(void);
struct node { struct node *next; int v; };
extern void take(struct node *);
extern struct node *give(void);

int f(struct node *h)
{
    struct node *r;

    take(h);
    r = give();
    if (r == h) {
        r = r->next;
        if (r && r->v == 7)
            reach_error();
    }
    return 0;
}
