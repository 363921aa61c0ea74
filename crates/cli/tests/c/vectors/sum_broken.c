// expect: UNSAFE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef int four __attribute__((vector_size(16)));
int main(void) {
    int x = __VERIFIER_nondet_int();
    four a = { x, x + 1, x + 2, x + 3 };
    four b = a + a;
    if (b[2] == 48) reach_error();
    return 0;
}
