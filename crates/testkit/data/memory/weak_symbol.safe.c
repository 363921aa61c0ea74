// expect: SAFE
// data-model: any
// What is called is there, or it is not called.
extern void reach_error(void);
extern void hook(void) __attribute__((weak));
int main(void) {
    void (*f)(void) = hook;
    if (f && !hook) reach_error();
    return 0;
}
