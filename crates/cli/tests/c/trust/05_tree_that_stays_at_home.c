// expect: SAFE
// options: --entry f --params tree --externs pure
// What was not given away does not come back.
extern void reach_error(void);
struct node { struct node *next; int v; };
extern struct node *give(void);

int f(struct node *h)
{
    struct node *r = give();

    h->v = 3;
    if (r)
        r->v = 7;
    if (h->v == 7)
        reach_error();
    return 0;
}
