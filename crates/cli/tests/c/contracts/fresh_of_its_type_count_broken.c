// expect: UNSAFE
// options: --contracts forms.contracts
// What the other clause says is written, is written.
extern void reach_error(void);
struct node { struct node *next; int value; };
extern struct node *node_new(int *count);

int main(void)
{
    int count = 0;
    struct node *n = node_new(&count);
    if (count)
        reach_error();
    return n->value;
}
