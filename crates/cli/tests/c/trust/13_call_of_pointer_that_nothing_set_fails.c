// expect: UNSAFE
// options: --check null
extern int __VERIFIER_nondet_int(void);
struct operations { int (*read)(int); int (*control)(int); };
static int read_one(int n) { return n & 1; }
static struct operations ops = { read_one };
int main(void) {
    int n = __VERIFIER_nondet_int();
    return n > 3 ? ops.control(n) : ops.read(n);
}
