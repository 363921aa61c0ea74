// expect: UNSAFE
// options: --target arm-none-eabi
extern void reach_error(void);
char object __attribute__((aligned));
int main(void) {
    if ((unsigned)&object & 8) reach_error();
    return 0;
}
