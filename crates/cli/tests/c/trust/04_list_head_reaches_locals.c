// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
struct node { struct node *next; long value; };
struct node *head;
int main(void) {
    struct node a, b;
    a.next = &b;
    a.value = 1;
    b.next = 0;
    b.value = 2;
    head = &a;
    nd();
    if (b.value != 2) reach_error();
    return 0;
}
