// expect: SAFE
extern void reach_error(void);
int main(void) {
    __asm__ goto("" : : : : there);
    return 0;
there:
    reach_error();
    return 1;
}
