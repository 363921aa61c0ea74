// expect: SAFE
// data-model: any
// A function that nobody outside knows is not called from there.
extern void reach_error(void);
extern void poke(int *);
static int called;
static void call_back(void) { called = 1; }
int main(void) {
    void (*f)(void) = call_back;
    int x = 1;
    poke(&x);
    if (called) reach_error();
    f();
    return 0;
}
