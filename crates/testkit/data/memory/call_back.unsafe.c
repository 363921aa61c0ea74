// expect: UNSAFE
// inputs: 0
// data-model: any
// An undefined function calls what it is given.
extern void reach_error(void);
extern void visit(void (*)(void));
static int called;
static void call_back(void) { called = 1; }
int main(void) {
    visit(call_back);
    if (called) reach_error();
    return 0;
}
