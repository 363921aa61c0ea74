// expect: UNSAFE
// The textbook average of two numbers. Both are large, the sum wraps around, and the average lies outside of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int average(int low, int high) {
    int sum = low + high;
    return sum / 2;
}

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (low < 0 || low > high) return 0;
    int middle = average(low, high);
    if (middle < low || middle > high) reach_error();
    return 0;
}
