// expect: SAFE
// data-model: any
// Mutual recursion with a global and two-state contracts: each pair of steps cancels.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int position = 0;

void back(unsigned int n);

//@ ensures position == 'position;
//@ modifies position;
void walk(unsigned int n) {
    if (n == 0)
        return;
    position += 2;
    back(n - 1);
}

//@ ensures position == 'position - 2;
//@ modifies position;
void back(unsigned int n) {
    walk(n / 2);
    position -= 2;
}

int main(void) {
    walk(__VERIFIER_nondet_uint());
    if (position != 0)
        reach_error();
    return 0;
}
