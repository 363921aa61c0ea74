// expect: SAFE
// data-model: any
// A list on the heap.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct n { int v; struct n *next; };
int main(void) {
    struct n *a = malloc(sizeof(struct n));
    struct n *b = malloc(sizeof(struct n));
    if (!a || !b) return 0;
    int x = __VERIFIER_nondet_int();
    a->v = x;
    a->next = b;
    b->v = 7;
    b->next = 0;
    a->next->v = 8;
    if (a->v != x || b->v != 8 || b->next) reach_error();
    return 0;
}
