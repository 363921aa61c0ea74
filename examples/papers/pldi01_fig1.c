// options: --predicates pldi01_fig1.preds
//
// PLDI01, figure 1: `partition` takes the cells greater than v out of a list. With the figure's four predicates the
// invariant at L is curr != NULL && curr->val > v && (prev == NULL || prev->val <= v), and from it follows that prev and
// curr are never equal there (section 2.2): `hardbop invariants pldi01_fig1.c --predicates pldi01_fig1.preds --label L`.
// `main` makes a list of any length; the paper shows the function alone.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

typedef struct cell {
    int val;
    struct cell *next;
} *list;

list partition(list *l, int v) {
    list curr, prev, newl, nextCurr;
    curr = *l;
    prev = NULL;
    newl = NULL;
    while (curr != NULL) {
        nextCurr = curr->next;
        if (curr->val > v) {
            if (prev != NULL) {
                prev->next = nextCurr;
            }
            if (curr == *l) {
                *l = nextCurr;
            }
            curr->next = newl;
        L:  newl = curr;
        } else {
            prev = curr;
        }
        curr = nextCurr;
    }
    return newl;
}

int main(void) {
    list l = NULL;
    while (__VERIFIER_nondet_int()) {
        list c = malloc(sizeof *c);
        if (c == NULL) break;
        c->val = __VERIFIER_nondet_int();
        c->next = l;
        l = c;
    }
    partition(&l, __VERIFIER_nondet_int());
    return 0;
}
