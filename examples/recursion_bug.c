// expect: UNSAFE
// A bug that needs an argument and twenty nested calls. The report shows the argument and the run.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int depth;

static void descend(int n) {
    depth++;
    if (depth == 20) reach_error();
    if (n > 0) descend(n - 1);
}

int main(void) {
    descend(__VERIFIER_nondet_int());
    return 0;
}
