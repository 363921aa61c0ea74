// expect: UNSAFE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef float four __attribute__((vector_size(16)));
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000) return 0;
    four a = { x, x + 1, x + 2, x + 3 };
    four b = a * 2.0f;
    if (b[2] > 2000) reach_error();
    return 0;
}
