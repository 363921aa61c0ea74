// expect: UNSAFE
// options: --contracts forms.contracts --check bounds
// There is one, not two.
struct node { struct node *next; int value; };
extern struct node *node_new(int *count);

int main(void)
{
    int count = 0;
    struct node *n = node_new(&count);
    n[1].value = 1;
    return 0;
}
