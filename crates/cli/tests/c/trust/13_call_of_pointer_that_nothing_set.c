// expect: SAFE
/* An operation that no table has: its address is null, and it is asked for before it is called. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct operations { int (*read)(int); int (*control)(int); };
static int read_one(int n) { return n & 1; }
static struct operations ops = { read_one };
int main(void) {
    int n = __VERIFIER_nondet_int(), result = 0;
    if (ops.control)
        result = ops.control(n) + 5;
    else
        result = ops.read(n);
    if (result > 1)
        reach_error();
    return 0;
}
