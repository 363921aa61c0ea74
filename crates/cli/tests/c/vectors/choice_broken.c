// expect: UNSAFE
// A comparison gives all bits or none, lane by lane.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef int four __attribute__((vector_size(16)));
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    four a = { x, x, x, x }, b = { y, 0, y, 0 };
    four mask = a > b;
    four larger = (a & mask) | (b & ~mask);
    if (larger[1] < y) reach_error();
    return 0;
}
