// options: --check bounds
// expect: UNSAFE
extern int nd(void);
short t[4];
int main(void) {
    int i = nd() & 7;
    if (i > 4)
        return 0;
    t[i--] += 3;
    return t[0];
}
