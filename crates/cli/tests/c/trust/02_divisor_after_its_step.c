// options: --check div
// expect: SAFE
extern int nd(void);
int main(void) {
    int y = nd() & 1, x = 5;
    int r = y < 2 && x / ++y > 2;
    return r + x % y--;
}
