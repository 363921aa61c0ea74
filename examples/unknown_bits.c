// expect: UNKNOWN
// options: --engine abstraction --max-iterations 4
// Multiplication by shifting and adding. The invariant of the loop, z + x * y == a * b, is never written in the program, and
// no path through the loop leads to it: each round of refinement excludes one more pass.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned x = a, y = b, z = 0;
    while (y != 0) {
        if (y & 1) z += x;
        x <<= 1;
        y >>= 1;
    }
    if (z != a * b) reach_error();
    return 0;
}
