// expect: SAFE
// data-model: any
// An enumeration without negative member is an unsigned int for gcc; with one it is an int. Its constants are ints.
// A tool that takes every enumeration for int fails.
extern void reach_error(void);
static void __VERIFIER_assert(int cond) {
    if (!cond) reach_error();
}

enum colour { RED, GREEN };
enum level { LOW = -1, HIGH = 1 };

int main(void) {
    enum colour c = RED;
    enum level l = LOW;
    __VERIFIER_assert(c - 1 > 0);
    __VERIFIER_assert(RED - 1 < 0);
    __VERIFIER_assert(l < 0);
    c = (enum colour)-1;
    __VERIFIER_assert(c > GREEN);
    return 0;
}
