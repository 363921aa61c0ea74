// expect: SAFE
// options: --contracts forms.contracts --check bounds
// As large as the type of the result, with another object written.
extern void reach_error(void);
struct node { struct node *next; int value; };
extern struct node *node_new(int *count);

int main(void)
{
    int count = 0;
    struct node *n = node_new(&count);
    if (n->next || n->value)
        reach_error();
    return 0;
}
