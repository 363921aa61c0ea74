// expect: UNSAFE
// data-model: any
// inputs: 1
// The step back is too long.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int position = 0;

void back(unsigned int n);

void walk(unsigned int n) {
    if (n == 0)
        return;
    position += 2;
    back(n - 1);
}

void back(unsigned int n) {
    walk(n / 2);
    position -= 3;
}

int main(void) {
    walk(__VERIFIER_nondet_uint());
    if (position != 0)
        reach_error();
    return 0;
}
