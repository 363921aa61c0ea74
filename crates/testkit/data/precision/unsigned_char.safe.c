// expect: SAFE
// data-model: any
// unsigned char holds 0 to 255 and signed char -128 to 127, whatever plain char is.
// A tool that treats all three alike fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    unsigned char u = 255;
    signed char s = (signed char)u;
    __VERIFIER_assert(u == 255);
    __VERIFIER_assert(s == -1);
    __VERIFIER_assert(u != s);
    u++;
    __VERIFIER_assert(u == 0);
    return 0;
}
