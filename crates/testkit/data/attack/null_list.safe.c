// expect: SAFE
// data-model: any
// check: null
extern int nd(void);
struct node { struct node *next; int value; };
int main(void) {
    struct node b = {0, 2};
    struct node a = {nd() ? &b : 0, 1};
    struct node *p = a.next;
    if (p != 0 && p->value == 2)
        return 1;
    return 0;
}
