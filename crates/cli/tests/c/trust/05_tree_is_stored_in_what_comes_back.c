// expect: UNSAFE
// options: --entry f --params tree --externs pure
// A pointer that is stored behind one from outside is found behind the other name of the same object.
extern void reach_error(void);
struct node { struct node *next; int v; };
extern void take(struct node *);
extern struct node *give(void);

int f(struct node *h, struct node *k)
{
    struct node *r, *q;

    take(h);
    r = give();
    if (r == h) {
        r->next = k;
        q = h->next;
        if (q && q->v == 7)
            reach_error();
    }
    return 0;
}
