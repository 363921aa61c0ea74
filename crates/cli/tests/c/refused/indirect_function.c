// expect: UNKNOWN
// reason: indirect functions
extern void reach_error(void);
static int g;
static int one(void) {
    g = 1;
    return 1;
}
static int (*choose(void))(void) { return one; }
int f(void) __attribute__((ifunc("choose")));
int main(void) {
    f();
    if (g == 1) reach_error();
    return 0;
}
