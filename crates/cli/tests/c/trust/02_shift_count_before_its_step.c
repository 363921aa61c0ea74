// options: --check shift
// expect: UNSAFE
extern int nd(void);
int main(void) {
    int n = nd() & 63;
    if (n > 32)
        return 0;
    return (nd(), 1u << n--) == 1;
}
