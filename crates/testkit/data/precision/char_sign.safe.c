// expect: SAFE
// data-model: any
// Plain char is signed on x86: 200 becomes -56, and '\xff' is -1.
// A tool with unsigned char fails every check.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

int main(void) {
    char c = 200;
    __VERIFIER_assert(c == -56);
    __VERIFIER_assert(c < 0);
    __VERIFIER_assert('\xff' == -1);
    c = 127;
    c++;
    __VERIFIER_assert(c == -128);
    /* The conversion to unsigned int extends the sign first. */
    char top = '\x80';
    __VERIFIER_assert((unsigned int)top == 0xFFFFFF80u);
    return 0;
}
