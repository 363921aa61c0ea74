// options: --check div
// expect: UNSAFE
extern int nd(void);
int main(void) {
    int y = nd() & 1, x = 5;
    return y < 2 && x / y++ > 2;
}
