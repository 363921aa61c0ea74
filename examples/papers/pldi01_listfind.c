// options: --predicates pldi01_listfind.preds
//
// PLDI01, table 2, `listfind`: the paper does not print it; this is a search in a list with six predicates, the
// conditions of the program and how the two pointers lie to each other.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node {
    int val;
    struct node *next;
};

struct node *listfind(struct node *list, int v) {
    struct node *curr, *prev;
    prev = NULL;
    curr = list;
    while (curr != NULL) {
        if (curr->val == v) {
        FOUND:
            return curr;
        }
        prev = curr;
        curr = curr->next;
    }
LOST:
    return NULL;
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (n == NULL) break;
        n->val = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    listfind(list, __VERIFIER_nondet_int());
    return 0;
}
