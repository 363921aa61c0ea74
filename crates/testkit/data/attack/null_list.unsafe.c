// expect: UNSAFE
// inputs: 0
// data-model: any
// check: null
extern int nd(void);
struct node { struct node *next; int value; };
int main(void) {
    struct node b = {0, 2};
    struct node a = {nd() ? &b : 0, 1};
    struct node *p = a.next;
    if (p->value == 2)
        return 1;
    return 0;
}
