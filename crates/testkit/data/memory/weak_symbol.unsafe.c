// expect: UNSAFE
// inputs: 0
// data-model: any
// A weak symbol that is defined nowhere may be absent.
extern void reach_error(void);
extern void hook(void) __attribute__((weak));
int main(void) {
    if (!hook) reach_error();
    return 0;
}
