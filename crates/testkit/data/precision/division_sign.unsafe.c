// expect: UNSAFE
// data-model: any
// inputs: 18446744073709551615
// harmless: 5
// The remainder of a negative number is not positive: "x is odd" is not "x % 2 == 1".
// A tool with Euclidean remainder says SAFE.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x & 1)
        __VERIFIER_assert(x % 2 == 1);
    return 0;
}
