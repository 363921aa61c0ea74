// expect: UNSAFE
// data-model: any
// inputs: 11
// One path returns without restoring the global.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int depth = 0;

void visit(unsigned int k) {
    depth++;
    if (k == 5)
        return;
    if (k > 0)
        visit(k / 2);
    depth--;
}

int main(void) {
    unsigned int k = __VERIFIER_nondet_uint();
    visit(k);
    if (depth != 0)
        reach_error();
    return 0;
}
