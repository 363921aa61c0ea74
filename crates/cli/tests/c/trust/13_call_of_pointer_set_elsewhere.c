// expect: UNSAFE
/* Only one function fits and only one place stores it, under another type. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef void (*plain)(void);
static plain slots[2];
static int fails(int n) { if (n == 7) reach_error(); return n; }
static void put(int i, plain f) { slots[i & 1] = f; }
int main(void) {
    put(__VERIFIER_nondet_int(), (plain)fails);
    if (slots[1])
        ((int (*)(int))slots[1])(__VERIFIER_nondet_int());
    return 0;
}
