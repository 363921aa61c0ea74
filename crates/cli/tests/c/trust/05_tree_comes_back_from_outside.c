// expect: UNSAFE
// options: --entry f --params tree --externs pure
// What was given away can come back, and then it is read there.
extern void reach_error(void);
struct node { struct node *next; int v; };
extern void take(struct node *);
extern struct node *give(void);

int f(struct node *h)
{
    struct node *r;

    take(h);
    r = give();
    if (r == h && r->v == 7)
        reach_error();
    return 0;
}
