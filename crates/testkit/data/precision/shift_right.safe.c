// expect: SAFE
// data-model: any
// >> keeps the sign of a signed operand and brings zeros into an unsigned one.
// A tool with one kind of shift fails one of the checks.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    int s = -8;
    unsigned int u = (unsigned int)s;
    __VERIFIER_assert(s >> 1 == -4);
    __VERIFIER_assert(s >> 31 == -1);
    __VERIFIER_assert(u >> 1 == 2147483644u);
    __VERIFIER_assert(u >> 31 == 1);
    /* Rounds towards minus infinity, where division rounds towards zero. */
    int odd = -7;
    __VERIFIER_assert(odd >> 1 == -4);
    __VERIFIER_assert(odd / 2 == -3);
    return 0;
}
