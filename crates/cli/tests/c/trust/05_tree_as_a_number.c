// expect: UNSAFE
// options: --entry f --params tree
// A number that is the address of an object leads to it.
extern void reach_error(void);
struct node { struct node *next; int v; };

int f(struct node *h, unsigned long k)
{
    if ((unsigned long)h == k) {
        struct node *r = (struct node *)k;
        if (r->v == 7)
            reach_error();
    }
    return 0;
}
