// expect: SAFE
// data-model: any
// Recursion through a global, which is back at its first value when the function returns.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int depth = 0;

//@ ensures depth == 'depth;
//@ modifies depth;
void visit(unsigned int k) {
    depth++;
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
