// expect: SAFE
// options: --engine abstraction --no-invgen --predicates toplas05_1.preds
//
// TOPLAS05, section 1: one polymorphic predicate, x = 'x, proves both calls of the identity function.
extern void reach_error(void);

static int id(int x) {
    return x;
}

int main(void) {
    int a = id(5);
    int b = id(73);
    if (a != 5 || b != 73) reach_error();
    return 0;
}
