// options: --predicates pldi01_fig3.preds
//
// PLDI01, figure 3: `mark` goes through a list and marks it, turning the pointers round, and then goes back, turning them
// round again. The auxiliary variables h and hnext are a node and its successor at the beginning.
//
// That h->next == hnext holds at the end is true, but does not follow from the paper's seven predicates: its value there is
// unknown (`hardbop invariants pldi01_fig3.c --predicates pldi01_fig3.preds --label END`).
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int mark;
    struct node *next;
};

void mark(struct node *list) {
    struct node *this, *tmp, *prev, *h, *hnext;
    h = list;
    if (h == 0) return;
    while (h->next != 0 && __VERIFIER_nondet_int()) h = h->next;
    hnext = h->next;
    prev = 0;
    this = list;
    /* traverse the list and mark, setting back pointers */
    while (this != 0) {
        if (this->mark == 1) break;
        this->mark = 1;
        tmp = prev;
        prev = this;
        this = this->next;
        prev->next = tmp;
    }
    /* traverse back, resetting the pointers */
    while (prev != 0) {
        tmp = this;
        this = prev;
        prev = prev->next;
        this->next = tmp;
    }
END: ;
}

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (n == 0) break;
        n->mark = 0;
        n->next = list;
        list = n;
    }
    mark(list);
    return 0;
}
